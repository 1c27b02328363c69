/**
 * Writes Tailwind's runtime for browsers next to the panel's script, as a function of the document that
 * it styles. A preview styles a document without scripts in its own page, and one with scripts in the frame.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = "node_modules/@tailwindcss/browser";

/** @param {string} folder of the panel's script */
export function writeTailwind(folder) {
  const { version, main } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const runtime = readFileSync(join(PACKAGE, main), "utf8");
  writeFileSync(
    join(folder, "tailwind.js"),
    `function coreChatTailwind(document, MutationObserver) {\n${runtime}\n}\ncoreChatTailwind.version = ${JSON.stringify(version)};\n`,
  );
}
