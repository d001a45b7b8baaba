// Makes dist/viewer.html: the page with its style and its script inside, one file without any other.
//   node build.mjs           writes it
//   node build.mjs --check   fails when the one that is there differs
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
    ...options,
  });
  return (result.outputFiles ?? [])[0].text.trim();
}

/**
 * What the page may run and load is fixed by hashes: a text in a run file can do nothing.
 * @param {string} text
 */
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const licence = (await read("node_modules/three/LICENSE")).trim();
let script = await bundle("src/main.js", { format: "iife" });
script = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = await bundle("src/style.css", {});
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = (await read("src/page.html"))
  .replace("{{policy}}", () => policy)
  .replace("{{licence}}", () => licence)
  .replace("{{style}}", () => style)
  .replace("{{script}}", () => script);

const target = join(here, "dist", "viewer.html");
if (process.argv.includes("--check")) {
  const before = await readFile(target, "utf8").catch(() => "");
  if (before !== page) {
    console.error(
      "viewer/dist/viewer.html is not what the sources make: run 'npm run build' in viewer/",
    );
    process.exit(1);
  }
} else {
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, page);
  console.log(`dist/viewer.html: ${(page.length / 1000).toFixed(0)} kB`);
}
