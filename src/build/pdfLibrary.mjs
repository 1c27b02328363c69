/**
 * Build steps for the PDF library: bundles its decoders with its worker, and copies its tables of
 * character codes next to the panel's script.
 */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Import of a decoder by URL in the library's worker. */
const DECODER_IMPORT =
  /await import\(\s*(?:\/\*[^*]*\*\/\s*)*`\$\{WasmImage\.#wasmUrl\}\$\{this\._noWasmFilename\}`\)/;

const DECODERS = ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"];

/**
 * Bundles the decoders of JPEG 2000 and JBIG2 pictures with the PDF worker. The library would import
 * them by their URL, which the panel's content security policy forbids, like their WebAssembly.
 *
 * @returns {import("esbuild").Plugin}
 */
export function withPdfDecoders() {
  return {
    name: "with-pdf-decoders",
    setup(build) {
      build.onLoad({ filter: /pdf\.worker\.mjs$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!DECODER_IMPORT.test(text))
          throw new Error("the PDF worker no longer imports its decoders by URL");
        const loaders = DECODERS.map(
          (file) => `"${file}": () => import("pdfjs-dist/wasm/${file}")`,
        );
        const loaded = `await ({ ${loaders.join(", ")} })[this._noWasmFilename]()`;
        return { contents: text.replace(DECODER_IMPORT, loaded), loader: "js" };
      });
    },
  };
}

/**
 * Copies the tables of East Asian character codes, which PDFs without their own fonts name.
 *
 * @param {string} folder of the panel's script
 */
export function copyCharacterMaps(folder) {
  cpSync("node_modules/pdfjs-dist/cmaps", join(folder, "cmaps"), {
    recursive: true,
    filter: (path) => !path.endsWith("LICENSE"),
  });
}
