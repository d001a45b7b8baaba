// The transport bar below the picture: playback, time and speed.
import { SPEEDS } from "../control/player.js";
import { h, icon, iconButton, select } from "./dom.js";
import { number } from "./format.js";

export class Transport {
  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Timeline} timeline
   * @param {Player} player
   */
  constructor(run, settings, timeline, player) {
    this.run = run;
    this.settings = settings;
    this.timeline = timeline;
    this.player = player;
    this.play = iconButton("play", "", () => player.toggle(), "play");
    this.slider = h("input", {
      type: "range",
      id: "time",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "aria-label": "Frame",
      oninput: () => timeline.seek(Number(this.slider.value)),
    });
    this.clock = h("output", { class: "clock", id: "clock" });
    this.count = h("output", { class: "count", id: "count" });
    this.speed = select(
      Object.fromEntries(SPEEDS.map((speed) => [String(speed), `${speed} / s`])),
      String(settings.speed),
      (value) => {
        settings.speed = Number(value);
      },
      "speed",
    );
    this.speed.title = "Frames per second";
    this.loop = iconButton("loop", "Repeat from the start", () => this.toggleLoop(), "loop");
    this.follow = h(
      "button",
      {
        type: "button",
        class: "follow",
        id: "follow",
        title: "Show new frames as they arrive",
        onclick: () => this.toggleFollow(),
      },
      "live",
    );
    this.element = h(
      "footer",
      { class: "transport" },
      h(
        "div",
        { class: "buttons" },
        iconButton("back", "Previous frame (←)", () => player.step(-1)),
        this.play,
        iconButton("forth", "Next frame (→)", () => player.step(1)),
      ),
      h("div", { class: "when" }, this.clock, this.count),
      this.slider,
      h("div", { class: "buttons end" }, this.follow, this.loop, this.speed),
    );
    timeline.sought.listen((frame) => {
      this.slider.value = String(frame);
    });
    timeline.shown.listen(() => this.update());
    player.changed.listen(() => this.update());
    this.update();
  }

  toggleLoop() {
    this.settings.loop = !this.settings.loop;
    this.update();
  }

  toggleFollow() {
    this.settings.follow = !this.settings.follow;
    if (this.settings.follow) this.timeline.seek(this.timeline.last);
    this.update();
  }

  update() {
    const { run, settings, player } = this;
    const { frame, last } = this.timeline;
    const { frames, total_frames, going } = run.manifest;
    this.play.replaceChildren(icon(player.playing ? "pause" : "play"));
    this.play.title = player.playing ? "Pause (space)" : "Play (space)";
    this.play.setAttribute("aria-label", this.play.title);
    this.slider.max = String(Math.max(0, last));
    const sought = this.timeline.target; // which may still be on its way
    this.slider.value = String(sought);
    this.slider.style.setProperty("--done", `${last > 0 ? (100 * sought) / last : 0}%`);
    const empty = last < 0;
    this.clock.textContent = empty ? "no frame yet" : `t = ${number(run.time(frame), 5)}`;
    this.count.textContent = empty ? "" : `frame ${frames.number[frame]} of ${total_frames - 1}`;
    this.loop.setAttribute("aria-pressed", String(settings.loop));
    this.follow.hidden = !going;
    this.follow.setAttribute("aria-pressed", String(settings.follow));
    this.speed.value = String(settings.speed);
  }
}
