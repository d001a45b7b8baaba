// Makes pages of one file, with style and script inside.
//   node build.mjs                    dist/viewer.html
//   node build.mjs --check            fails when the one that is there differs
//   node build.mjs --playground DIR   dist/playground.html, with the engine of the build folder DIR (make playground)
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { sourcesHash } from "./sources.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** @param {string} name */
const read = (name) => readFile(join(here, name), "utf8");

/**
 * @param {string} entry
 * @param {import("esbuild").BuildOptions} options
 */
async function bundle(entry, options) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    legalComments: "none",
    target: ["es2022"],
    loader: { ".yaml": "text" },
    ...options,
  });
  return (result.outputFiles ?? [])[0].text.trim();
}

/**
 * What the page may run and load is fixed by hashes: a text in a run file can do nothing.
 * @param {string} text
 */
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** @param {string | Uint8Array} content as data/source.js unpacks it */
const pack = (content) => deflateSync(content, { level: 9 }).toString("base64");

/**
 * @param {{ page: string, script: string, style: string, mayRun?: string, mayLoad?: string, holds?: Record<string, string> }} parts
 */
async function makePage({ page, script, style, mayRun = "", mayLoad = "", holds = {} }) {
  const code = (await bundle(script, { format: "iife" }))
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
  const look = await bundle(style, {});
  const policy = [
    "default-src 'none'",
    `script-src ${hash(code)}${mayRun}`,
    `style-src ${hash(look)}`,
    "img-src data: blob:",
    ...(mayLoad ? [mayLoad] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const licence = (await read("node_modules/three/LICENSE")).trim();
  const values = { policy, licence, style: look, script: code, ...holds };
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{{${name}}}`, () => value),
    await read(page),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
async function save(name, text) {
  const target = join(here, "dist", name);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  console.log(`dist/${name}: ${(text.length / 1000).toFixed(0)} kB`);
}

/** @param {string} folder that cmake has built into */
async function makePlayground(folder) {
  const engine = await readFile(join(folder, "playground", "scree_playground"));
  const yaml = await readFile(join(here, "..", "build", "libyaml", "License"), "utf8");
  const worker = await bundle("src/play/worker.js", { format: "iife" });
  return makePage({
    page: "src/play/play.html",
    script: "src/play/main.js",
    style: "src/play/play.css",
    mayRun: " 'wasm-unsafe-eval' blob:",
    mayLoad: "worker-src blob:",
    holds: {
      sources: sourcesHash(),
      engine: pack(engine),
      worker: pack(worker),
      own_licence: (await read("../LICENSE")).trim(),
      yaml_licence: yaml.trim(),
    },
  });
}

const viewer = () =>
  makePage({
    page: "src/page.html",
    script: "src/main.js",
    style: "src/style.css",
    mayLoad: "connect-src 'self'",
  });

const at = process.argv.indexOf("--playground");
if (at >= 0) {
  await save("playground.html", await makePlayground(process.argv[at + 1]));
} else if (process.argv.includes("--check")) {
  const before = await read("dist/viewer.html").catch(() => "");
  if (before !== (await viewer())) {
    console.error(
      "viewer/dist/viewer.html is not what the sources make: run 'npm run build' in viewer/",
    );
    process.exit(1);
  }
} else {
  await save("viewer.html", await viewer());
}
