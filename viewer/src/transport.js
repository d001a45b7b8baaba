// The bar below the picture: play, time, speed.
import { h, icon, iconButton, select } from "./dom.js";
import { number } from "./format.js";

const SPEEDS = [1, 2, 5, 10, 15, 20, 30, 60];

export class Transport {
  constructor(app) {
    this.app = app;
    this.play = iconButton("play", "Play (space)", () => app.togglePlay(), { id: "play" });
    this.time = h("input", {
      type: "range",
      id: "time",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "aria-label": "Frame",
      oninput: () => app.seek(Number(this.time.value)),
    });
    this.clock = h("output", { class: "clock", id: "clock" });
    this.count = h("output", { class: "count", id: "count" });
    this.speed = select(
      Object.fromEntries(SPEEDS.map((s) => [s, `${s} / s`])),
      String(app.state.speed),
      (value) => {
        app.state.speed = Number(value);
      },
      "speed",
    );
    this.speed.title = "Frames a second";
    this.loop = iconButton(
      "loop",
      "Play again from the start",
      () => {
        app.state.loop = !app.state.loop;
        this.update();
      },
      { id: "loop" },
    );
    this.follow = h(
      "button",
      {
        type: "button",
        class: "follow",
        id: "follow",
        title: "Show new frames as they come",
        onclick: () => {
          app.state.follow = !app.state.follow;
          if (app.state.follow) app.seek(app.run.frames - 1);
          this.update();
        },
      },
      "live",
    );
    this.element = h(
      "footer",
      { class: "transport" },
      h(
        "div",
        { class: "buttons" },
        iconButton("back", "Frame before (←)", () => app.step(-1)),
        this.play,
        iconButton("forth", "Next frame (→)", () => app.step(1)),
      ),
      h("div", { class: "when" }, this.clock, this.count),
      this.time,
      h("div", { class: "buttons end" }, this.follow, this.loop, this.speed),
    );
  }

  update() {
    const { app } = this,
      { run } = app;
    this.play.replaceChildren(icon(app.playing ? "pause" : "play"));
    this.play.title = app.playing ? "Pause (space)" : "Play (space)";
    this.time.max = Math.max(0, run.frames - 1);
    this.time.value = app.frame;
    this.time.style.setProperty(
      "--done",
      `${run.frames > 1 ? (100 * app.frame) / (run.frames - 1) : 0}%`,
    );
    this.clock.textContent =
      run.frames > 0 ? `t = ${number(run.time(app.frame), 5)}` : "no frame yet";
    this.count.textContent =
      run.frames > 0
        ? `frame ${run.manifest.frames.number[app.frame]} of ${run.manifest.total_frames - 1}`
        : "";
    this.loop.setAttribute("aria-pressed", String(app.state.loop));
    this.follow.hidden = !run.manifest.going;
    this.follow.setAttribute("aria-pressed", String(app.state.follow));
    this.speed.value = String(app.state.speed);
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.app.state.speed);
    this.app.state.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
    this.update();
  }
}
