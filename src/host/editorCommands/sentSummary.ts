/** Lists what is sent with an instruction, in a line. */
import * as vscode from "vscode";
import { chipParts } from "../../chat/conversation/conversationDraft";
import { chipOf } from "../../chat/view/toView";
import { costOf } from "../../context/budget";
import type { Part } from "../../conversation/message";
import { panelMessages } from "../messages/panelMessages";

const t = vscode.l10n.t;

/** Lists the context that is sent with a question, in a line: "cart.ts:13-23 · 6 definitions". */
function sentItems(parts: readonly Part[]): string {
  return chipParts(parts)
    .flatMap((part) => chipOf(part, panelMessages))
    .map(({ kind, label, detail, tooltip }) =>
      kind === "file" || kind === "symbol" || kind === "definitions"
        ? (tooltip ?? label)
        : detail === ""
          ? label
          : `${label} (${detail})`,
    )
    .join(" · ");
}

/** Lists the context of a question with its estimated tokens, in a line. */
export function sentSummary(parts: readonly Part[]): string {
  const question = {
    role: "user" as const,
    id: "",
    parentId: null,
    parts: [...parts],
    sentAtMs: 0,
  };
  const { text, files } = costOf(question);
  return `${sentItems(joinedExcerpts(parts))} · ${t("~{0} tokens", text + files)}`;
}

/** Joins excerpts that follow each other in a file: a target and the lines around it. */
function joinedExcerpts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const at = joined.findLastIndex(({ kind }) => kind === "excerpt");
    const last = joined[at];
    const isNext =
      part.kind === "excerpt" &&
      last?.kind === "excerpt" &&
      part.uri === last.uri &&
      part.startLine === (last.endLine ?? 0) + 1;
    if (isNext) joined[at] = { ...last, endLine: part.endLine ?? part.startLine };
    else joined.push(part);
  }
  return joined;
}
