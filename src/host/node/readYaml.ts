/** Reads YAML, which only files of this machine have. Twin: web/readYaml.ts. */
import { parse } from "yaml";

/** Throws for text that is not YAML, for keys that occur twice, and for aliases that grow. */
export function readYaml(text: string): unknown {
  return parse(text, { logLevel: "error" });
}
