/** Long conversations, and the messages of the request for each of their questions. */
import { wireMessages } from "../../../src/ask/wireMessages";
import type { ExcerptPart, Message, ModelKind, Part } from "../../../src/conversation/message";

const BUDGET = 32_000;

export function picture(name: string): Part {
  const hash = name.padEnd(64, "0");
  const size = { widthPx: 1000, heightPx: 800, bytes: 1 };
  return { kind: "image", hash, mediaType: "image/png", name, ...size };
}

export function excerpt(name: string, version: number): ExcerptPart {
  const text = `const value = ${version};\n`.repeat(40);
  const place = { path: name, uri: `file:///p/${name}`, startLine: 1, endLine: 40 };
  return { kind: "excerpt", languageId: "typescript", ...place, text };
}

/** A turn of about 600 tokens. */
export function turn(index: number, parts: readonly Part[] = []): Message[] {
  const id = `q${index}`;
  const own = { id, parentId: index === 0 ? null : `r${index - 1}`, sentAtMs: index };
  const text: Part = { kind: "text", text: `Question ${index}: ${"why ".repeat(100)}` };
  return [
    { role: "user", ...own, parts: [text, ...parts] },
    {
      role: "assistant",
      id: `r${index}`,
      parentId: id,
      text: `Answer ${index}: ${"word ".repeat(480)}`,
      modelKind: "llm",
      modelCode: "core_llm",
      startedAtMs: index,
      ending: { kind: "complete" },
    },
  ];
}

/** Returns 80 turns of text. */
export function textTurns(): Message[] {
  return Array.from({ length: 80 }, (_, index) => turn(index)).flat();
}

/** Returns 80 turns with a picture in one of three and an excerpt in one of two. */
export function mixedTurns(): Message[] {
  return Array.from({ length: 80 }, (_, index) =>
    turn(index, [
      ...(index % 3 === 0 ? [picture(`p${index}.png`)] : []),
      ...(index % 2 === 0 ? [excerpt(`f${index % 7}.ts`, Math.floor(index / 20))] : []),
    ]),
  ).flat();
}

/** Returns the messages of the request for each question of a conversation. */
export async function requestsOf(
  messages: readonly Message[],
  kind: ModelKind,
  budgetTokens = BUDGET,
): Promise<string[][]> {
  const requests: string[][] = [];
  for (const [at, { role }] of messages.entries()) {
    if (role !== "user") continue;
    const path = messages.slice(0, at + 1);
    const read = (image: { readonly name: string }) => Promise.resolve({ url: image.name });
    const wired = await wireMessages("Be brief.", path, false, { budgetTokens }, kind, read);
    requests.push(wired.messages.map((message) => JSON.stringify(message)));
  }
  return requests;
}
