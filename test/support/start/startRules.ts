/**
 * Exports the parts of Core Chat that `npm start` needs before VS Code runs, built for plain Node:
 * the rule for base URLs with its error messages, the servers on this machine, and the prompts for the
 * local reference service.
 */
import { isLoopback, readBaseUrl } from "../../../src/service/baseUrl";
import { findLocalServers } from "../../../src/host/settings/modelList";
import { failureNotice } from "../../../src/host/messages/failureMessages";
import { FAULT_MENU } from "../../service/faults/menu";
import { POINT_PROMPTS } from "../../service/pointReply";
import { THINK_PROMPTS } from "../../service/thinkReply";

/** Returns the base URL in the form that Core Chat uses, or Core Chat's error message. */
export function checkBaseUrl(
  typed: string,
): { baseUrl: string; isLocal: boolean } | { sentence: string } {
  const reading = readBaseUrl(typed);
  if (reading.ok) return { baseUrl: reading.baseUrl, isLocal: isLoopback(reading.baseUrl) };
  return { sentence: failureNotice({ kind: "bad-url", problem: reading.problem }, false).text };
}

/**
 * Value of the setting `coreChat.prompts` that demonstrates failures and thinking: `/`, name,
 * Enter, Enter.
 */
export const SERVICE_PROMPTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FAULT_MENU.map(({ name, phrase }) => [name, phrase])),
  ...THINK_PROMPTS,
  ...POINT_PROMPTS,
};

/**
 * Returns the servers on this machine as entries of the setting `coreChat.profiles`, each with the
 * first model that it lists; Set Model ID shows the others.
 */
export async function localProfiles(fetch: typeof globalThis.fetch) {
  const servers = await findLocalServers(fetch);
  return servers.flatMap(({ name, baseUrl, path, models: [first] }) =>
    first === undefined ? [] : [{ name, baseUrl, path, models: { llm: first, vl: first } }],
  );
}
