/**
 * Runs `npm run bench [-- NAME …]`: the benchmarks that match, one after the other. A benchmark is
 * a folder whose index.mjs exports `title` and `run({ log })`; it installs its own comparison
 * packages.
 */
import { existsSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, "index.mjs")))
  .sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}". There are: ${known.join(", ")}.`);
  process.exit(2);
}

const [cpu] = cpus();
console.log(`Node ${process.version}, ${cpus().length} × ${cpu?.model ?? "unknown processor"}`);
for (const name of asked.length > 0 ? asked : known) {
  const bench = await import(pathToFileURL(join(folder, name, "index.mjs")).href);
  console.log(`\n## ${name}: ${bench.title ?? ""}`);
  await bench.run({ log: (line) => console.log(line) });
}
