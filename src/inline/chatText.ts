/**
 * Detects what models say around a text for a document: introductions, offers, and replies that are
 * not a text for the document. Covers the languages in which users ask.
 */
import { withoutBlankEnds } from "./blockLines";

/** First words of an introduction: "Sure! Here is the new text:" */
const INTRODUCTION = new RegExp(
  '^[\\s*_#>"“]*(?:' +
    [
      "sure(?!\\p{L})|certainly(?!\\p{L})|of course(?!\\p{L})|absolutely(?!\\p{L})|okay(?!\\p{L})|ok(?!\\p{L})|got it(?!\\p{L})|here(?:'s|’s| is| are| you)(?!\\p{L})",
      "below (?:is|are)(?!\\p{L})|the following (?:is|are)(?!\\p{L})|(?:updated|improved|corrected|revised|rewritten|new) \\w+:",
      "i(?:'ve|’ve| have|'ll|’ll| will)? (?:re\\w+|improved?|updated?|fixed|fix|corrected?|changed?|added|add|edited|simplified|shortened|translated?)(?!\\p{L})",
      "好的|好，|当然|没问题|沒問題|以下是|下面是|这是|這是|我已|已将|已經|修改后|修改後",
      "以下(?:が|は|の|に)|はい|承知|かしこまり|修正し|もちろん|물론|네[,!. ]|알겠습니다|다음은|아래는|수정",
      "natürlich(?!\\p{L})|klar(?!\\p{L})|gerne?(?!\\p{L})|hier (?:ist|sind)(?!\\p{L})|ich habe(?!\\p{L})|voici(?!\\p{L})|bien sûr(?!\\p{L})|d'accord(?!\\p{L})|j'ai(?!\\p{L})",
      "claro(?!\\p{L})|por supuesto(?!\\p{L})|aquí (?:tienes|está)|he (?:corregido|mejorado)|aqui está|certo(?!\\p{L})|com certeza(?!\\p{L})|ecco(?!\\p{L})",
      "конечно|вот |хорошо|я исправил|بالتأكيد|إليك|بالطبع|حسنا",
    ].join("|") +
    ")",
  "iu",
);

/** First words of an offer at the end. */
const OFFER = new RegExp(
  "^[\\s*_]*(?:" +
    [
      "let me know(?!\\p{L})|feel free(?!\\p{L})|i hope(?!\\p{L})|hope (?:this|that|it)(?!\\p{L})|would you like(?!\\p{L})|do you want(?!\\p{L})",
      "if you(?:'d|’d| would)? (?:like|want|need|prefer)(?!\\p{L})|anything else(?!\\p{L})",
      "如果(?:你|您|需要)|如需|如有|希望(?:这|這|对|對)|需要我|(?:ご不明|他に|必要)|도움이|필요하|더 필요",
      "sag(?:en sie)? (?:mir )?bescheid|wenn (?:du|sie)(?!\\p{L})|n'hésite|si vous(?!\\p{L})|si tu(?!\\p{L})|avísame|si (?:quieres|necesitas)",
      "me avise|se (?:quiser|precisar)|espero que|fammi sapere|дайте знать|если (?:нужно|хотите)|надеюсь|أخبرني|إذا ",
    ].join("|") +
    ")",
  "iu",
);

/** First words of a refusal, of a question, or of the statement that nothing is to be changed. */
const NO_TEXT = new RegExp(
  "^[\\s*_#]*(?:" +
    [
      "(?:i(?:'m|’m| am) (?:very |so |really )?(?:sorry|unable|not able|afraid)|sorry(?!\\p{L})|apologies(?!\\p{L})|my apologies)",
      "i (?:can(?:'|’)?t|cannot|can not|don(?:'|’)t|do not|need (?:more|to know))(?!\\p{L})|unfortunately(?!\\p{L})|as an ai(?!\\p{L})",
      "no (?:\\w+ )?(?:changes?|edits?|corrections?|modifications?)(?!\\p{L})|nothing (?:to|needs)(?!\\p{L})|there (?:is|are) no(?:thing)? |error:",
      "(?:the|this|your|that) (?:\\w+ ){1,3}(?:is|are|looks?|reads?|seems?) (?:already |all |perfectly )?(?:\\w+ly )?(?:correct|fine|good|well|great|ok)(?!\\p{L})",
      "(?:could|can|would) you(?!\\p{L})|please (?:provide|share|specify|clarify|tell|paste)(?!\\p{L})|(?:what|which|who|where|how) .*\\?$",
      "抱歉|对不起|對不起|很抱歉|不好意思|无法|無法|我不能|请(?:提供|问|告诉|说明)|請(?:提供|問)|您能|你能|能否|无需|無需|不需要|没有需要",
      "申し訳|すみません|変更(?:は|の)?(?:必要|不要)|(?:どの|何)|죄송|변경(?:할|이)? 필요|수정할|수정이 필요",
      "es tut mir|tut mir leid|leider(?!\\p{L})|entschuldigung|keine änderung|(?:könnten|können|kannst) (?:sie|du)(?!\\p{L})",
      "(?:je suis )?désolée?(?!\\p{L})|je ne peux|aucune? (?:modification|changement)|pourri(?:ez|ais)|pouvez",
      "lo siento|no (?:puedo|es necesario|hace falta|se necesita)|¿|desculpe?(?!\\p{L})|lamento|não (?:posso|há|é)|mi dispiace",
      "извин|к сожалению|не могу|изменени[яй] не|уточните|آسف|عذر|لا (?:أستطيع|يمكنني|حاجة)|هل ",
    ].join("|") +
    ")",
  "iu",
);

/** Upper limit of lines in a refusal, a question or an introduction. */
const MAX_CHAT_LINES = 4;

/** Text of a reply without the chat around it. */
export interface TrimmedText {
  readonly lines: readonly string[];
  readonly hasWordsAround: boolean;
}

/** Returns true for a line that introduces a text. */
export function isIntroduction(line: string): boolean {
  return INTRODUCTION.test(line);
}

/**
 * Removes an introduction and an offer around a text.
 * @param target lines to rewrite; a text that begins like them is not an introduction
 */
export function withoutChat(lines: readonly string[], target: readonly string[]): TrimmedText {
  let rest = withoutBlankEnds(lines);
  const { length } = rest;
  const own = withoutBlankEnds(target);
  const lead = rest.findIndex((line) => line.trim() === "");
  const isLead = lead > 0 && lead <= MAX_CHAT_LINES && isIntroduction(rest[0] ?? "");
  if (isLead && !isIntroduction(own[0] ?? "") && /[:：.!。！…]\**$/.test(rest[lead - 1] ?? "")) {
    rest = withoutRule(withoutBlankEnds(rest.slice(lead)));
  }
  const tail = rest.findLastIndex((line) => line.trim() === "");
  const ownTail = own.findLastIndex((line) => line.trim() === "");
  const isTail = tail > 0 && rest.length - tail - 1 <= MAX_CHAT_LINES;
  if (isTail && OFFER.test(rest[tail + 1] ?? "") && !OFFER.test(own[ownTail + 1] ?? "")) {
    rest = withoutRule(withoutBlankEnds(rest.slice(0, tail)).toReversed()).toReversed();
  }
  return { lines: rest, hasWordsAround: rest.length < length };
}

/** Removes a rule at the start, which separated the text from the introduction. */
function withoutRule(lines: readonly string[]): readonly string[] {
  return /^\s*([-*_=])\1{2,}\s*$/.test(lines[0] ?? "") ? withoutBlankEnds(lines.slice(1)) : lines;
}

/** Returns true for a short reply to the user rather than a text for the document. */
export function isAnswerToUser(lines: readonly string[], target: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  const [first = ""] = filled;
  if (filled.length > MAX_CHAT_LINES || !NO_TEXT.test(first)) return false;
  return !target.some((line) => NO_TEXT.test(line));
}
