/**
 * Detects placeholder lines for code that a reply leaves out: "// ... existing code ...", "# rest
 * unchanged".
 */

/** Longest line that can be a placeholder, in UTF-16 units. */
const MAX_LENGTH = 160;

const COMMENT_START =
  /^(?:\/\/+|#+|--\[\[|--|;+|%+|\/\*+|\*|<!--|<%--|<%#|\{\/\*|\{-|\{#|\{\{!--|@\*|\(\*|'|!|rem )/i;
const COMMENT_END = /(?:\*\/\}?|--\}?\}?>?|-\}|#\}|%>|\*@|\*\)|\]\])$/;

const DOTS = /^(?:\.{3,}|…+)/;
const DOTS_AT_END = /(?:\.{3}|…)$/;

/** Text after the dots: a name for the left-out code, or closing dots. */
const LEFT_OUT =
  /^(?:\(?(?:existing|rest|other|others|remaining|unchanged|previous|same|code|keep|omitted|more|snip)\b|(?:\.{3}|…)?$)/i;

/** Words for the left-out rest, anywhere in a comment with dots, in the languages users ask in. */
const NAMES_THE_REST = new RegExp(
  [
    "existing|rest\\b|other|remaining|unchanged|previous|same|omitted|as before|your code",
    "其余|其他|其它|剩余|剩下|现有|现存|原有|原来|已有|不变|省略|保持|同上",
    "其餘|剩餘|現有|不變|既存|残り|省略|そのまま|変更なし|同じ|기존|나머지|생략|동일|변경",
    "bestehend|restlich|unverändert|übrig|gleich|wie bisher|existant|reste|inchangé|identique",
    "existente|resto|restante|sin cambios|igual|sem alterações|sem mudanças|inalterad",
    "остальн|существующ|без изменений|прежн|не изменил|الباقي|بقية|الموجود|دون تغيير|كما هو",
    "invariat|rimanent|restant|ongewijzigd|hetzelfde|bestaand|reszta|pozostał|bez zmian|istniejąc",
    "mevcut|geri kalan|değişmeden|aynı|giữ nguyên|còn lại|hiện có|không (?:thay )?đổi",
    "मौजूदा|बाकी|शेष|पहले जैसा|שאר|קיים|ללא שינוי|โค้ดเดิม|ส่วนที่เหลือ|เหมือนเดิม|ไม่เปลี่ยน",
  ].join("|"),
  "i",
);

/** Without dots, a comment must be an unambiguous sentence. */
const SAYS_UNCHANGED =
  /^\(?(?:keep|leave|preserve|retain)s? (?:the |your |all )*(?:rest|remainder|remaining|existing|other|previous|original)\b[\w\s]*\b(?:as (?:it )?is|as before|unchanged|the same|here)\.?\)?$|^\(?(?:the )?(?:rest|remainder|remaining|existing|previous|other)\b[\w\s,'’]*\b(?:unchanged|same|before|here|above|code|follows?|stays?|remains?|goes here)\b|^\(?(?:unchanged|no changes?)(?: (?:code|here|below|above))?\)?\.?$|\b(?:remains? (?:the same|unchanged)|same as before|unchanged code|omitted for brevity)\b|^(?:其余|其他|剩余|其餘)(?:的)?(?:代码|部分|内容|程式碼)?.{0,6}(?:不变|不變|相同|省略|一样|保持)|^(?:残り|以下).{0,8}(?:同じ|省略|変更なし|そのまま)|^(?:나머지).{0,10}(?:동일|같|변경|생략)|^(?:der )?rest.{0,20}unverändert|^(?:le )?reste.{0,20}inchangé|^(?:el )?resto.{0,20}(?:sin cambios|igual)|^(?:o )?rest(?:o|ante).{0,20}(?:inalterad|sem |igual)|^остальн.{0,24}(?:без изменений|не изменил|прежн)/i;

/** Returns true for a line of a block that replaces code the reply left out. */
export function isLeftOut(line: string): boolean {
  if (line.length > MAX_LENGTH) return false;
  const text = line.trim();
  const [start = ""] = COMMENT_START.exec(text) ?? [];
  const inner = text.slice(start.length).replace(COMMENT_END, "").trim();
  const bracketed = start === "" ? null : /^(?:\[(.*)\]|<(.*)>|\{(.*)\})$/.exec(inner);
  const words = (bracketed?.slice(1).join("") ?? inner).trim();
  if (DOTS.test(words)) {
    // Dots at both ends of a comment need no known word, so this works in any language.
    if (start !== "" && start !== "*" && DOTS_AT_END.test(words)) return true;
    const said = words.replace(DOTS, "").trim();
    return LEFT_OUT.test(said) || (start !== "" && NAMES_THE_REST.test(said));
  }
  if (/^\((?:\.{3}|…)\)$/.test(words)) return true;
  const isRest = /^(?:the )?(?:existing|rest|remaining|unchanged|previous|other|same)\b/i;
  if (bracketed !== null && isRest.test(words)) return true;
  if (start === "" || start === "*") return false;
  return (DOTS_AT_END.test(words) && NAMES_THE_REST.test(words)) || SAYS_UNCHANGED.test(words);
}
