// A hash of all sources that the engine of the playground is made of, which the page carries.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOMS = ["include", "src", "scene", "io/run", "view", "playground"];

export function sourcesHash() {
  const hash = createHash("sha256");
  for (const room of ROOMS) {
    const names = readdirSync(join(root, room), { recursive: true }).map(String);
    for (const name of names.filter((one) => /\.[ch]$/.test(one)).sort()) {
      hash.update(name).update(readFileSync(join(root, room, name)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
