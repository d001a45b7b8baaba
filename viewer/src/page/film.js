// A film of the run as it is seen, frame by frame, with the time and what the colours mean: a WebM file, which the
// browser makes. It takes as long as it will last, since recorders of browsers go by the clock.
import { counted } from "./format.js";
import { paintAll, save } from "./screenshot.js";

const RATE = 12e6; // bits per second: edges of grains stay sharp
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

const wait = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

export class Film {
  recording = false;

  /** @param {import("../viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
  }

  /** Begins a film from the first frame, or ends one where it is. */
  toggle() {
    const { run, message, picture } = this.viewer;
    if (this.recording) this.recording = false;
    else if (typeof MediaRecorder === "undefined")
      message.say("This browser cannot record; 'scree film' makes films, too.");
    else if (run.frames < 2 || !picture.coloured) message.say("A film needs two frames.");
    else this.#record().catch((error) => this.#fail(error));
  }

  /** @param {unknown} error */
  #fail(error) {
    this.recording = false;
    this.viewer.message.say(error instanceof Error ? error.message : String(error));
  }

  async #record() {
    const { run, settings, timeline, player, message, compare } = this.viewer;
    this.recording = true;
    player.pause();
    await timeline.show(0);
    await compare.settled();
    const first = this.#painted();
    const canvas = document.createElement("canvas");
    // codecs want even sizes
    canvas.width = first.width & ~1;
    canvas.height = first.height & ~1;
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("There is no memory for a film.");
    const stream = canvas.captureStream(0);
    const [track] = /** @type {CanvasCaptureMediaStreamTrack[]} */ (stream.getVideoTracks());
    const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: RATE });
    /** @type {Blob[]} */
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((done) => (recorder.onstop = done));
    recorder.start(1000);
    let shown = 0;
    for (let frame = 0; frame < run.frames && this.recording; frame++) {
      const due = performance.now() + 1000 / settings.speed;
      if (frame > 0) await timeline.show(frame);
      await compare.settled();
      pen.drawImage(frame > 0 ? this.#painted() : first, 0, 0);
      track.requestFrame();
      message.say(`Recording: frame ${++shown} of ${run.frames}; V stops.`, true);
      await wait(Math.max(due - performance.now(), 0));
    }
    this.recording = false;
    recorder.stop();
    await ended;
    track.stop();
    save(new Blob(parts, { type: "video/webm" }), run, ".webm");
    message.say(`A film of ${counted(shown, "frame")} has been saved.`);
  }

  #painted() {
    const { compare, theme } = this.viewer;
    return paintAll(compare.pictures, theme.ink);
  }
}
