/** Headings and code blocks of replies, read from the text because far replies have no elements. */
import type { ContainerBlock } from "../../markdown/blockTree";
import { markdownLength, normalizeText } from "../../markdown/limits";
import { createParser } from "../../markdown/parser";
import type { ReplyModel } from "../state/store";

/** Heading or code block; `index` is 0-based among those of its kind. */
export type ReplyPart =
  | {
      readonly kind: "heading";
      readonly index: number;
      readonly level: number;
      readonly text: string;
    }
  | {
      readonly kind: "code";
      readonly index: number;
      readonly language: string;
      /** Rest of the info string, a title or a path; the first line of the code if there is none. */
      readonly name: string;
    };

interface ReadText {
  readonly text: string;
  readonly parts: readonly ReplyPart[];
}

const parser = createParser();
const readTexts = new WeakMap<ReplyModel, ReadText>();

/** Returns the parts of a reply in the order of its text; each text is read once. */
export function partsOfReply(model: ReplyModel): readonly ReplyPart[] {
  const text = model.text.whole;
  const cached = readTexts.get(model);
  if (cached?.text === text) return cached.parts;
  const parts = readParts(text);
  readTexts.set(model, { text, parts });
  return parts;
}

export function codeBlockCount(model: ReplyModel): number {
  return partsOfReply(model).filter(({ kind }) => kind === "code").length;
}

/** Matches the text of a reply that may have a heading or a code block. */
const MAY_HAVE_PARTS =
  /^(?: {4}|\t| *(?:>|(?:[-+*]|\d+[.)])[ \t])| {0,3}(?:#|```|~~~|(?:=+|-+)[ \t]*$))/m;

function readParts(message: string): readonly ReplyPart[] {
  const text = normalizeText(message);
  if (!MAY_HAVE_PARTS.test(text)) return [];
  const parts: ReplyPart[] = [];
  const count = { heading: 0, code: 0 };
  const visit = (container: ContainerBlock) => {
    for (const block of container.children) {
      if (block.kind === "heading") {
        const { level, content } = block;
        parts.push({ kind: "heading", index: count.heading++, level, text: shownText(content) });
      } else if (block.kind === "code") {
        const { language, label, content } = block;
        const name = label || content.trimStart().split("\n", 1).join();
        parts.push({ kind: "code", index: count.code++, language, name });
      } else if ("children" in block) visit(block);
    }
  };
  visit(parser.blocks(text.slice(0, markdownLength(text))).root);
  return parts;
}

/** Returns the text of inline Markdown without its marks. */
export function shownText(source: string): string {
  return parser
    .inline(source)
    .map(({ type, nesting, content }) =>
      type === "softbreak" || type === "hardbreak" ? " " : nesting === 0 ? content : "",
    )
    .join("");
}
