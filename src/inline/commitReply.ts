/**
 * Finds the commit message in a reply that may be cut anywhere. Removes introduction,
 * headings, labels, fence, quotes, alternatives and closing remarks.
 *
 * A growing reply only yields text that later text cannot retract. A subject without Conventional
 * Commits form therefore appears when the reply is complete. Form:
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */

import { isAnswerToUser } from "./chatText";
import { firstOption } from "./commitOptions";

const TYPES =
  "feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert|deps|security|i18n|l10n|wip|release|merge|hotfix|improve|add|remove|update";

/** `fix: …`, `fix(scope)!: …` or `area(scope): …`, optionally after an emoji or its name. */
const SUBJECT = new RegExp(
  `^(?:(?::\\w+:|\\p{Extended_Pictographic}\\uFE0F?)\\s*)?(?:(?:${TYPES})!?|[\\p{L}\\w-]{1,30}\\([^()\\n]{1,60}\\)!?)[:：]\\s*\\S`,
  "iu",
);

/** Fence languages that do not indicate code. */
const TEXT_FENCE = /^(?:|text|txt|plain\w*|commit\S*|git\S*|git-commit|markdown|md|none|message)$/i;

const SHELL_FENCE = /^(?:bash|sh|shell|zsh|console|shell-session|shellsession|powershell|cmd)$/i;

/** Opening quotation marks and their closing counterparts. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
  "„": "“",
  "「": "」",
  "『": "』",
  "《": "》",
};

/** "Commit message", "subject" and similar labels, alone or before a colon. */
const LABEL_WORDS = [
  "(?:(?:suggested|proposed|final|generated|git|new|the|my) )*(?:commit(?: message| title| subject)?|message|subject(?: line)?|title|summary|answer|output|result)",
  "(?:建议的?|最终的?|生成的?)?(?:git ?)?(?:提交(?:信息|消息|說明|说明|訊息|标题|標題)|标题|標題|主题|主旨|摘要)",
  "(?:提案する?)?(?:コミット ?メッセージ(?:案)?|件名|タイトル)",
  "(?:제안(?:하는|된)? )?(?:커밋 ?메시지|제목)",
  "(?:vorgeschlagene )?(?:commit-(?:nachricht|message)|betreff|titel)",
  "(?:message (?:de|du) (?:commit|validation)|objet|titre|sujet)(?: proposé| suggéré)?",
  "(?:mensaje (?:de|del) (?:commit|confirmación)|asunto|título)(?: propuesto| sugerido)?",
  "(?:mensagem (?:de|do) commit|assunto|título)(?: proposta| sugerida)?",
  "(?:messaggio (?:di|del) commit|oggetto|titolo)(?: proposto| suggerito)?",
  "(?:сообщение (?:для )?(?:коммита|фиксации)|заголовок|тема)",
  "(?:رسالة (?:الالتزام|الإيداع|commit)|العنوان)",
].join("|");
const LABEL = new RegExp(`^(?:${LABEL_WORDS})$`, "iu");
const LABEL_BEFORE = new RegExp(`^(?:${LABEL_WORDS})\\s*[:：]\\s*`, "iu");

/** "Body:" between a labelled subject and its body. */
const BODY_LABEL =
  /^(?:body|description|details|正文|描述|详细说明|本文|説明|본문|설명|beschreibung|corps|description|cuerpo|descripción|corpo|descrição|descrizione|тело|описание)\s*[:：]$/iu;

/** "Commit description: …" before the body on the same line. */
const BODY_LABEL_BEFORE =
  /^\s*\**(?:commit (?:body|description|details)|body)\s*[:：]\**\s+(?=\S)/iu;

/** First words of an introduction without a colon and without a following fence. */
const INTRODUCTION =
  /^(?:here(?:'s|’s| is| are)|sure|certainly|of course|okay|ok\b|absolutely|below|based on|this is|i(?:'ve| have| would|'d)|looking at|(?:the )?(?:following|suggested|proposed)\b|以下|下面|这是|這是|好的|当然|當然|根据|根據|こちら|以下|はい|もちろん|다음|아래|물론|네[,. ]|여기|hier(?: ist| sind|)\b|gerne|natürlich|klar|voici|voilà|bien sûr|d'accord|aquí|claro|por supuesto|este es|aqui|certo|ecco|certamente|вот|конечно|хорошо|ниже|إليك|فيما يلي|بالتأكيد|हाँ|यहाँ|यह )/iu;

/** First words of closing remarks and further proposals below the message. */
const REMARK =
  /^(?:let me know|feel free|note[:：].*\b(?:message|characters|commit|subject)\b|i hope\b|hope this|would you like|do you want|want me to|if you(?:'d| would)? (?:like|prefer|want)\b.*\b(?:me|i can|let|another|shorter|longer|different|version)\b|(?:this|the(?: above)?) (?:commit )?message (?:follows|uses|describes|is|summari[sz]es|captures|above)|explanation\b|why this|(?:or )?alternatively|alternatives?\b|another option|option \w+\s*(?:[:：(（–—-]|$)|如果(?:你|您|需要)|希望(?:这|對|对)|(?:这|该|此)(?:个|条)?提交(?:信息|消息)|(?:说明|解释|备选(?:方案)?|或者|选项.?|方案.?)[:：]?$|(?:この|上記の)コミット?メッセージ|別案|もし|ご(?:希望|不明|要望)|必要に応じて|이 (?:커밋 )?메시지|대안|또는|필요하|lass(?:en sie)? (?:es )?mich|falls (?:du|sie)|wenn (?:du|sie) (?:möchte|willst|wollen)|diese (?:commit-)?nachricht|erklärung|alternativ|n['’]hésite|si (?:vous|tu) (?:voul|veu|souhait|préf)|ce message|explication|variante|avísame|déja(?:me|nos) saber|házmelo|si (?:quieres|prefieres|deseas)|este mensaje|explicación|alternativa|me avise|se (?:quiser|preferir|desejar)|esta mensagem|explicação|fammi sapere|se (?:vuoi|preferisci)|questo messaggio|spiegazione|in alternativa|oppure|дайте знать|если (?:вы )?(?:хотите|нужно)|это сообщение|объяснение|пояснение|альтернатив|أخبرني|إذا (?:أردت|كنت)|هذه الرسالة|बताइए|अगर आप|daj znać|jeśli (?:chcesz|wolisz)|ta wiadomość|laat (?:me|het) (?:me )?weten|als (?:je|u) (?:wilt|liever)|dit bericht|başka bir|isterseniz|bu mesaj|hãy cho|nếu (?:bạn|cần)|thông điệp này|אם תרצ|ההודעה הזו|หากต้องการ|ข้อความนี้)/iu;

/** "Or:" between two proposals. */
const OR = /^(?:or|oder|ou|o|oppure|или|或|或者|または|또는|أو|या)\s*[,:：]?$/iu;

/** Opening or closing line of a fence, without surrounding blanks. */
const FENCE = /^(?:>\s*|[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})([^`~]*)$/;

/**
 * Returns the commit message in a reply; empty if there is none, or none yet.
 * @param isWhole false for a growing reply and for a reply that was cut
 */
export function commitReply(reply: string, isWhole: boolean): string {
  const plain = reply.replaceAll(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  const text = firstOption(unwrapped(plain.trimStart(), isWhole), isWhole);
  const lines = text.split("\n");
  const fence = lines.findIndex((line, at) => isFence(line) && isComplete(lines, at, isWhole));
  const subject = lines.findIndex((line) => SUBJECT.test(undecorated(line)));
  if (fence !== -1 && (subject === -1 || subject > fence)) {
    const fenced = fencedMessage(lines, fence, isWhole);
    if (fenced !== undefined) return fenced;
  }
  if (subject !== -1) return fromSubject(lines.slice(subject), isWhole);
  if (!isWhole || isAnswerToUser(lines, [])) return "";
  return fromProse(lines);
}

function isFence(line: string): boolean {
  return FENCE.test(line.trim());
}

/** Returns true for a thematic break of Markdown. */
function isRule(line: string): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replaceAll(/\s/g, ""));
}

/** Only a line with a line end is known to be complete. */
function isComplete(lines: readonly string[], at: number, isWhole: boolean): boolean {
  return isWhole || at < lines.length - 1;
}

/** Tags that models put around a message. */
const WRAPPER_TAG =
  /<\/?(?:git_)?(?:commit_?message|commit|message|answer|output|result|response)>/gi;

/** Message between tags, below an introduction. */
const TAGGED_MESSAGE = /^[ \t]*<((?:git_)?commit_?message)>\n?([^]*?)(?:\n?<\/\1>|$(?![^]))/im;

/** Removes tags, JSON and end-of-text tokens around a message. */
function unwrapped(text: string, isWhole: boolean): string {
  const json = /^(?:```(?:json)?\s*)?(\{\s*(?:"|$)[^]*?)(?:```\s*)?$/i.exec(text);
  if (json !== null) return isWhole ? (messageInJson(json[1] ?? "") ?? text) : "";
  if (!isWhole && /^```(?:j(?:s(?:on?)?)?)?\s*$/i.test(text)) return "";
  const isTagged = /^<(?:git_)?(?:commit_?message|commit|message|answer|output|result|response)>/i;
  const [, , tagged] = TAGGED_MESSAGE.exec(text) ?? [];
  let rest = isTagged.test(text) ? text.replaceAll(WRAPPER_TAG, "").trim() : (tagged ?? text);
  rest = rest.replace(/(?:<\|[a-z_]{2,20}\|>|<end_of_turn>|<eos>|<\/s>)\s*$/, "");
  // In a growing reply the last characters may start such a tag or token.
  return isWhole ? rest : rest.replace(/\n?<[|/]?[a-z_|]*$/i, "");
}

/** Returns the message of a JSON answer: a single text, or a subject with a body. */
function messageInJson(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const texts = Object.entries(value as object).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const find = (name: RegExp) => texts.find(([key]) => name.test(key))?.[1];
  const subject =
    find(/^(?:commit_?)?(?:message|subject|title|summary)$/i) ??
    find(/^(?:answer|commit|output|result)$/i);
  const body = find(/^(?:body|description|details)$/i) ?? "";
  return subject && `${subject}\n\n${body}`.trim();
}

/**
 * Returns the message in the first fence; undefined where the fence belongs to the surrounding
 * text.
 */
function fencedMessage(
  lines: readonly string[],
  fence: number,
  isWhole: boolean,
): string | undefined {
  const [, mark = "", info = ""] = FENCE.exec((lines[fence] ?? "").trim()) ?? [];
  const language = info.trim();
  const close = lines.findIndex(
    (line, at) => at > fence && line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim()),
  );
  const isClosed = close !== -1;
  const inside = dedented(lines.slice(fence + 1, isClosed ? close : undefined));
  // A language with a colon is the subject, written directly after the fence marks.
  if (SUBJECT.test(language)) inside.unshift(language);
  const isAll = isClosed || isWhole;
  const first = inside.find((line) => line.trim() !== "") ?? "";
  if (/^(?:\$\s*)?git \w/.test(first.trim()) && !SUBJECT.test(first.trim())) {
    const isCommit = inside.some((line) => /^\s*(?:\$\s*)?(?:git .*&& )?git commit\b/.test(line));
    if (!isAll) return "";
    if (isCommit) return fromCommand(inside.join("\n"));
  }
  const before = lines.slice(0, fence).filter((line) => line.trim() !== "");
  const isText = TEXT_FENCE.test(language) || SUBJECT.test(language);
  if (!isText && SHELL_FENCE.test(language) && !isAll && COMMAND_START.test(first.trim()))
    return "";
  const isBodyOfOther = !isText && before.length > 0 && !SUBJECT.test(undecorated(first));
  if (isBodyOfOther && !before.every(isIntroductory)) return undefined;
  if (SUBJECT.test(undecorated(first))) {
    return fromSubject(inside.slice(inside.indexOf(first)), isAll);
  }
  return isAll ? fromProse(inside) : "";
}

/** Start of a command that may become `git commit`. */
const COMMAND_START = /^\$? ?g?i?t? ?c?o?m?m?i?t?$/;

/** Returns the message of `git commit -m "…" -m "…"` or of its here-document. */
function fromCommand(command: string): string {
  const heredoc = /<<-?\s*['"]?(\w+)['"]?\n([^]*?)\n\1\b/.exec(command)?.[2];
  if (heredoc !== undefined) return heredoc.trim();
  const parts = command.matchAll(/(?:-m|--message)[\s=]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)')/g);
  return Array.from(parts, ([, double, single = ""]) =>
    double === undefined ? single : double.replaceAll(/\\(["\\$`])/g, "$1"),
  )
    .join("\n\n")
    .trim();
}

/** Returns the message that starts with these lines; the first line is its subject. */
function fromSubject(lines: readonly string[], isWhole: boolean): string {
  const [first = "", ...rest] = lines;
  const isFirstOpen = !isWhole && rest.length === 0;
  const decoration = decorationOf(first);
  let subject = decoration.text.trimEnd();
  // Marks at an open end may belong to the closing half of the surrounding marks.
  if (isFirstOpen) subject = withoutTrailing(subject, CLOSING);
  else if (decoration.quote === "") subject = withoutEnd(subject, decoration.close);
  const body = bodyLines(rest, decoration, isWhole);
  const text = [subject, ...body].join("\n").trimEnd();
  return decoration.quote === "" ? text : unquoted(text, decoration.quote, isWhole);
}

function bodyLines(rest: readonly string[], first: Decoration, isWhole: boolean): string[] {
  const body: string[] = [];
  // Blank lines and labels are held back until the next line shows where they belong.
  let held: string[] = [];
  let isFenced = false;
  const complete = isWhole ? rest : rest.slice(0, -1);
  const indent = first.isListed ? /^ {1,4}/ : /^$/;
  for (const raw of complete) {
    const line = raw.replace(/^>\s?/, first.isBlockQuote ? "" : "$&").replace(indent, "");
    const bare = undecorated(line);
    const isMark = isFence(line);
    if (isMark) isFenced = !isFenced;
    if (!isFenced && !isMark) {
      const isAlternative = SUBJECT.test(bare) && (!/^\s*[-*+]\s/.test(line) || first.isListed);
      if (isAlternative || isRule(line) || REMARK.test(bare) || OR.test(bare)) return body;
      if (BODY_LABEL.test(bare) || (isLabelLike(line) && BODY_LABEL.test(`${bare}:`))) continue;
      if (line.trim() === "" || isLabelLike(line)) {
        held.push(line);
        continue;
      }
    }
    // Closing fence of a message that starts after the opening fence.
    if (isMark && first.isInFence) return body;
    const isFirstLine = body.every((one) => one.trim() === "");
    body.push(...held, isFirstLine ? line.replace(BODY_LABEL_BEFORE, "") : line);
    held = [];
  }
  if (isWhole && held.some((line) => line.trim() !== "" && !/^#/.test(line))) body.push(...held);
  return body;
}

/**
 * Returns true for a heading, a bold line, or a line with a final colon: a possible label of an
 * alternative.
 */
function isLabelLike(line: string): boolean {
  const text = line.trim();
  return /^#{1,6}\s/.test(text) || /^\*\*.*\*\*:?$/.test(text) || /[:：]$/.test(text);
}

/** Returns a message without the conventional form, from a complete reply. */
function fromProse(lines: readonly string[]): string {
  let from = 0;
  for (;;) {
    while (from < lines.length && (lines[from] ?? "").trim() === "") from++;
    const line = lines[from] ?? "";
    const hasMore = lines.slice(from + 1).some((one) => one.trim() !== "");
    if (line === "") return "";
    if (/^(?:\$\s*)?git commit\b/.test(line.trim()))
      return fromCommand(lines.slice(from).join("\n"));
    const bare = undecorated(line);
    // Bold label on a separate line.
    if (hasMore && bare === "") from++;
    else if (hasMore && (isIntroductory(line) || LABEL.test(bare.replace(/[:：]$/, "")))) from++;
    else return isIntroductory(line) ? "" : fromSubject(lines.slice(from), true);
  }
}

function isIntroductory(line: string): boolean {
  const bare = undecorated(line);
  if (SUBJECT.test(bare)) return false;
  return (
    /[:：]$/.test(bare) ||
    INTRODUCTION.test(bare) ||
    LABEL.test(bare) ||
    OPTION.test(bare) ||
    isRule(line)
  );
}

/** "Option 1", "方案一". */
const OPTION =
  /^(?:(?:option|alternative|variante?|opción|opção|opzione|вариант|proposal|vorschlag|proposition|选项|方案|案|옵션)\s*[\d一二三A-C]+)\b/iu;

interface Decoration {
  readonly text: string;
  /** Closing marks of the subject's decoration. */
  readonly close: string;
  /** Closing quotation mark, if the line opened a quotation. */
  readonly quote: string;
  readonly isListed: boolean;
  readonly isBlockQuote: boolean;
  readonly isInFence: boolean;
}

/** Removes list marks, headings, labels, bold marks and quotes from the start of a line. */
function decorationOf(line: string): Decoration {
  let text = line.trim();
  let close = "";
  let quote = "";
  let isListed = false;
  let isBlockQuote = false;
  let isInFence = false;
  for (;;) {
    const marker = /^(?:(>)\s*|(?:[-*+]|\d+[.)])\s+|#{1,6}\s+|(```+|~~~+)(?=\S))/.exec(text);
    const label = LABEL_BEFORE.exec(text)?.[0] ?? "";
    const bold = /^(\*\*|__)(?=\S)/.exec(text)?.[1] ?? "";
    const opening = text.charAt(0);
    const closing = QUOTES[opening];
    if (marker !== null) {
      text = text.slice(marker[0].length).trimStart();
      if (marker[1] !== undefined) isBlockQuote = true;
      else if (marker[2] !== undefined) {
        isInFence = true;
        close = marker[2] + close;
      } else if (!marker[0].startsWith("#")) isListed = true;
    } else if (label !== "" && label.length < text.length) {
      text = text.slice(label.length).trimStart();
    } else if (bold !== "") {
      text = text.slice(bold.length);
      const end = text.indexOf(bold);
      const isLabelled =
        end !== -1 &&
        LABEL.test(
          text
            .slice(0, end)
            .replace(/[:：]$/, "")
            .trimEnd(),
        );
      if (isLabelled) text = text.slice(end + bold.length).replace(/^\s*[:：]?\s*/, "");
      else close = bold + close;
    } else if (closing !== undefined && quote === "" && isQuoteOpening(text, closing)) {
      text = text.slice(1);
      quote = closing;
    } else return { text, close, quote, isListed, isBlockQuote, isInFence };
    if (text === "") return { text, close, quote, isListed, isBlockQuote, isInFence };
  }
}

/** Returns true if a quotation spans the whole subject and not only its first words. */
function isQuoteOpening(text: string, closing: string): boolean {
  const inner = text.slice(1);
  if (SUBJECT.test(inner)) return true;
  const end = inner.indexOf(closing);
  return end === -1 ? !/^['"]/.test(inner) : end === inner.trimEnd().length - closing.length;
}

/** Returns the text of a line without its decoration. */
function undecorated(line: string): string {
  const { text, close, quote } = decorationOf(line);
  return withoutEnd(withoutEnd(text.trim(), close), quote);
}

function withoutEnd(text: string, end: string): string {
  return end !== "" && text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text;
}

const CLOSING = " \t\n`'\"*_”’»“」』》";

function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes the quotation mark that closes the subject or the whole message. */
function unquoted(text: string, quote: string, isWhole: boolean): string {
  const [subject = "", ...body] = text.split("\n");
  if (subject.endsWith(quote) && body.length > 0) {
    return [withoutEnd(subject, quote), ...body].join("\n").trimEnd();
  }
  const shorter = withoutEnd(text, quote);
  return isWhole ? shorter : withoutTrailing(shorter, CLOSING);
}

/** Returns the lines of a fence inside a list, without the list's indentation. */
function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0]);
  const least = Math.min(...indents.map((indent) => indent?.length ?? 0));
  return lines.map((line) => line.slice(Number.isFinite(least) ? least : 0));
}
