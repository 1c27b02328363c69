/** Prints what of a request the service has read before, for 200 turns at a budget of 32,000 tokens. */
import { estimateTextTokens } from "../../../src/base/tokens";
import { mixedTurns, requestsOf, textTurns } from "../../unit/ask/longConversation";

for (const [name, messages, kind] of [
  ["panel, text", textTurns(), "llm"],
  ["panel, pictures and excerpts", mixedTurns(), "vl"],
] as const) {
  const requests = await requestsOf(messages, kind);
  let [broken, all, known] = [0, 0, 0];
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1] ?? [];
    const first = request.findIndex((text, index) => before[index] !== text);
    const same = first === -1 ? request.length : first;
    if (same < before.length) broken++;
    all += estimateTextTokens(request.join(""));
    known += estimateTextTokens(request.slice(0, same).join(""));
  }
  const share = Math.round((100 * known) / all);
  console.log(
    `  ${name}: ${share} % of the text known from the request before, ${broken} of ` +
      `${requests.length} requests do not begin with it, ${all - known} tokens read again`,
  );
}
