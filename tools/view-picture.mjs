// A picture of the viewer's page as a browser without a window draws it, shadows and all.
//   node tools/view-picture.mjs PAGE.html[#LINK] OUT.png [WIDTHxHEIGHT]
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..", "viewer");
const { chromium } = createRequire(join(viewer, "package.json"))("playwright-core");
const [page, out, size = "720x480"] = process.argv.slice(2);
if (!out) {
  console.error("usage: node tools/view-picture.mjs PAGE.html[#LINK] OUT.png [WIDTHxHEIGHT]");
  process.exit(2);
}
const [file, link = ""] = page.split("#");
const [width, height] = size.split("x").map(Number);
const executablePath = [
  process.env.SCREE_CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find((path) => path && existsSync(path));
const software = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
const browser = await chromium.launch({
  executablePath,
  args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu-compositing", ...software],
});
const tab = await (await browser.newContext({ viewport: { width, height } })).newPage();
tab.setDefaultTimeout(600000);
tab.on("pageerror", (error) => {
  throw error;
});
await tab.goto(`${pathToFileURL(resolve(file))}#panel=0&play=0&shadows=1&${link}`);
await tab.waitForFunction(() => document.documentElement.dataset.ready);
const data = await tab.evaluate(async (link) => {
  const { picture, run, link: own } = window.scree;
  const { stage } = picture;
  stage.view.insets = [10, 10, 10, 10]; // no buttons are in the picture
  if (link.includes("camera=")) own.applyCamera(stage.view, run);
  else stage.view.fit(picture.region);
  stage.render();
  const gl = stage.renderer.getContext();
  while (stage.stills < 48) {
    stage.refine();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // one after the other
    await new Promise((done) => setTimeout(done, 0));
  }
  if (stage.average) stage.average.copy(stage.average.sum, null, 1);
  else stage.render(); // in the plane there are no shadows to be averaged
  return stage.canvas.toDataURL("image/png").split(",")[1];
}, link);
(await import("node:fs")).writeFileSync(out, Buffer.from(data, "base64"));
await browser.close();
