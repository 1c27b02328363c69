/** The user's home folder. Twin: web/homeFolder.ts. */
import { homedir } from "node:os";

export function homeFolder(): string | undefined {
  return homedir();
}
