/** Build step for package.json: the program gets only what it reads at run time. */
import { readFileSync } from "node:fs";

/**
 * Passes ids of commands, and scopes and defaults of settings, instead of the whole manifest.
 *
 * @returns {import("esbuild").Plugin}
 */
export function withManifestParts() {
  return {
    name: "with-manifest-parts",
    setup(build) {
      build.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
        const { name, contributes } = JSON.parse(readFileSync(path, "utf8"));
        if (name !== "core-chat") return undefined;
        const commands = contributes.commands.map(
          /** @param {{command: string}} entry */ ({ command }) => ({ command }),
        );
        /** @type {[string, {scope: string, default: unknown}][]} */
        const settings = contributes.configuration.flatMap(
          /** @param {{properties: object}} group */ (group) => Object.entries(group.properties),
        );
        const properties = Object.fromEntries(
          settings.map(([id, { scope, default: value }]) => [id, { scope, default: value }]),
        );
        const parts = { contributes: { commands, configuration: [{ properties }] } };
        return { contents: JSON.stringify(parts), loader: "json" };
      });
    },
  };
}
