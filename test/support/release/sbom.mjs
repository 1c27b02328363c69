/**
 * Makes the software bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/) from what
 * esbuild put into the programs. Has no time and no random number, so the same commit gives the same bytes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { programs } from "../../../esbuild.mjs";
import { projectFolder } from "../runner/project.mjs";

/** Packages that src/build copies parts of; they are in no program. */
const COPIED = ["node_modules/@tailwindcss/browser", "node_modules/@vscode/codicons"];

/** @returns {Promise<string[]>} folders of the packages with code in the programs, sorted */
export async function bundledPackages() {
  const folders = new Set(COPIED);
  for (const options of Object.values(programs({ isProduction: false }))) {
    const { metafile } = await esbuild.build({ ...options, write: false, metafile: true });
    for (const output of Object.values(metafile?.outputs ?? {})) {
      for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
        const folder = /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(
          input.replace(/^.*:/, ""),
        )?.[0];
        if (folder !== undefined && bytesInOutput > 0)
          folders.add(folder.slice(folder.indexOf("node_modules/")));
      }
    }
  }
  return [...folders].sort();
}

/**
 * Returns the bill of materials as JSON.
 *
 * @param {readonly string[]} folders
 */
export function billOfMaterials(folders) {
  const read = (/** @type {string} */ path) =>
    JSON.parse(readFileSync(join(projectFolder, path), "utf8"));
  const { name, version, license } = read("package.json");
  const { packages } = read("package-lock.json");
  const components = folders.map((folder) => {
    const { version: own, license: licensed, integrity = "" } = packages[folder];
    const called = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    const purl = `pkg:npm/${called.replace("@", "%40")}@${own}`;
    const [, hash = ""] = integrity.split("sha512-");
    const content = Buffer.from(hash, "base64").toString("hex");
    return {
      type: "library",
      "bom-ref": purl,
      name: called,
      version: own,
      purl,
      ...(content !== "" && { hashes: [{ alg: "SHA-512", content }] }),
      licenses: [licensed.includes(" ") ? { expression: licensed } : { license: { id: licensed } }],
    };
  });
  const component = {
    type: "application",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    licenses: [{ license: { id: license } }],
  };
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components,
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(process.argv[2] ?? "sbom.cdx.json", billOfMaterials(await bundledPackages()));
}
