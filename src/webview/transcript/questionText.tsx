import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** Lines of a question that are shown at first, and the length above which it is cut. */
const FIRST_LINES = 8;
const MAX_WHOLE_LENGTH = 800;

/** Length above which code is not shown as elements, of which there can be one for three units. */
const MAX_LENGTH_WITH_CODE = 50_000;

/** Text of a question; a long text is cut until the user asks for all of it. */
export function QuestionText({ text }: { readonly text: string }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const isLong = text.length > MAX_WHOLE_LENGTH || text.split("\n").length > FIRST_LINES + 3;
  const isCut = isLong && !isExpanded;
  return (
    <>
      <div class={isCut ? "question-text is-cut" : "question-text"} dir="auto">
        {withCode(text)}
      </div>
      {isLong && (
        <button
          type="button"
          class="link-button question-toggle"
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? t("Show less") : t("Show more")}
        </button>
      )}
    </>
  );
}

/** Fence of a code block: its characters, and the rest of the line. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;

/**
 * Returns the text with its code blocks and code spans as elements; other Markdown stays as the user
 * wrote it. The fences and backticks are invisible, so that a copy has them.
 */
export function withCode(text: string): ComponentChildren[] {
  if (text.length > MAX_LENGTH_WITH_CODE) return [text];
  const parts: ComponentChildren[] = [];
  let plain = "";
  let block: { readonly open: string; readonly fence: string; code: string } | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const [, fence = "", rest = ""] = FENCE.exec(line) ?? [];
    if (block === undefined && fence !== "" && !rest.includes("`")) {
      // The margin of the block replaces a blank line.
      const blank = plain.endsWith("\n\n") ? "\n" : "";
      parts.push(...withCodeSpans(plain.slice(0, plain.length - blank.length)), paragraphEnd());
      plain = "";
      block = { open: blank + line, fence, code: "" };
    } else if (block === undefined && line === "\n" && plain === "" && parts.length > 0) {
      parts.push(mark(line));
    } else if (block === undefined) plain += line;
    else if (fence.startsWith(block.fence) && rest.trim() === "") {
      parts.push(mark(block.open), <pre>{block.code}</pre>, mark(line), paragraphEnd());
      block = undefined;
    } else block.code += line;
  }
  if (block) parts.push(mark(block.open), <pre>{block.code}</pre>);
  return [...parts, ...withCodeSpans(plain)];
}

function withCodeSpans(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  const stops = [...text.matchAll(/`+|\n[ \t]*\n/g)];
  for (const [at, { index, 0: ticks }] of stops.entries()) {
    if (index < end) continue;
    if (ticks.startsWith("\n")) {
      parts.push(text.slice(end, index + 1), paragraphEnd());
      end = index + 1;
      continue;
    }
    if (text[index - 1] === "\\") continue;
    // A code span ends before the next blank line.
    let next = at + 1;
    let close = stops[next];
    while (close && close[0] !== ticks && !close[0].startsWith("\n")) close = stops[++next];
    if (close?.[0] !== ticks) continue;
    const code = text.slice(index + ticks.length, close.index);
    parts.push(text.slice(end, index), <code>{[mark(ticks), code, mark(ticks)]}</code>);
    end = close.index + ticks.length;
  }
  return [...parts, text.slice(end)];
}

/** Invisible end of a paragraph; a question that is asked aside about it makes room here. */
function paragraphEnd() {
  return <span class="paragraph-end" />;
}

function mark(text: string) {
  return (
    <span class="code-mark" aria-hidden="true">
      {text}
    </span>
  );
}
