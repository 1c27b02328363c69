import { t } from "@vscode/l10n";
import { matchScore } from "../../base/fuzzy";
import type { ChipView } from "../../protocol/views";
import type { Place } from "../state/navigation";
import { cutText, firstWords } from "../state/questionWords";
import type { MessageModel, ReplyModel, UserModel } from "../state/store";
import { partsOfReply } from "./replyParts";

export interface OutlineEntry {
  readonly kind: "question" | "heading" | "code" | "picture";
  readonly place: Place;
  readonly text: string;
  /** Marks for an incomplete reply, several versions, and a message that is not sent. */
  readonly marks: string;
  /** 0 for questions; headings by their level, code below its heading. */
  readonly depth: number;
}

/** Length of a row, in UTF-16 units. */
const MAX_LENGTH = 160;

/** @param isLeftOut returns true for a message that the user leaves out of requests */
export function outlineOf(
  messages: readonly MessageModel[],
  isLeftOut: (messageId: string) => boolean,
): readonly OutlineEntry[] {
  return messages.flatMap((model, index) => {
    if (model.role === "assistant") return replyEntries(model);
    const next = messages[index + 1];
    const reply = next?.role === "assistant" ? next : undefined;
    return questionEntries(model, reply, isLeftOut(model.id));
  });
}

function questionEntries(
  model: UserModel,
  reply: ReplyModel | undefined,
  isLeftOut: boolean,
): OutlineEntry[] {
  const view = model.view.peek();
  const place = { messageId: model.id };
  const text = `${model.number.peek()}. ${firstWords(view)}`;
  const marks = marksOf(model, reply, isLeftOut);
  const entry = { kind: "question" as const, place, text, marks, depth: 0 };
  return [entry, ...pictureEntries(model.id, view.chips)];
}

function replyEntries(model: ReplyModel): OutlineEntry[] {
  const parts = partsOfReply(model);
  const levels = parts.map((part) => (part.kind === "heading" ? part.level : 6));
  const topLevel = Math.min(...levels);
  let depth = 0;
  const entries = parts.map((part): OutlineEntry => {
    const { kind, index } = part;
    const place = { messageId: model.id, part: { kind, index } };
    if (part.kind === "heading") {
      depth = part.level - topLevel + 1;
      return { kind: "heading", place, text: cut(part.text), marks: "", depth };
    }
    const name = [part.language, part.name].filter((text) => text !== "").join(" · ");
    return { kind: "code", place, text: cut(name || t("Code")), marks: "", depth: depth + 1 };
  });
  return [...entries, ...pictureEntries(model.id, model.view.peek().pictures ?? [])];
}

function pictureEntries(messageId: string, chips: readonly ChipView[]): OutlineEntry[] {
  return chips
    .filter(({ picture }) => picture !== undefined)
    .map(({ label, isLeftOut = false }, index) => ({
      kind: "picture" as const,
      place: { messageId, part: { kind: "picture" as const, index } },
      text: cut(label),
      marks: isLeftOut ? t("Not sent") : "",
      depth: 1,
    }));
}

function marksOf(question: UserModel, reply: ReplyModel | undefined, isLeftOut: boolean): string {
  const view = question.view.peek();
  const answer = reply?.view.peek();
  const versions = Math.max(view.version.count, answer?.version.count ?? 1);
  return [
    ...(answer && !answer.isStreaming && answer.notice ? [t("Incomplete")] : []),
    ...(versions > 1 ? [t("{0} versions", versions)] : []),
    ...(isLeftOut ? [t("not sent")] : []),
    ...(view.chips.some((chip) => chip.isLeftOut === true) ? [t("Partly not sent")] : []),
  ].join(" · ");
}

function cut(text: string): string {
  return cutText(text.replaceAll(/\s+/g, " "), MAX_LENGTH);
}

/** Returns the entries whose text has the letters of the query in their order, ignoring case. */
export function filterEntries(
  entries: readonly OutlineEntry[],
  query: string,
): readonly OutlineEntry[] {
  const letters = query.toLowerCase().replaceAll(/\s/g, "");
  return entries.filter(
    ({ text, marks }) => matchScore(letters, `${text} ${marks}`.toLowerCase()) > 0,
  );
}
