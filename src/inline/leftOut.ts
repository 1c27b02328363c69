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

/** Sentences for left-out code, in comments without dots. */
const SAYS_UNCHANGED = new RegExp(
  [
    String.raw`^\(?(?:keep|leave|preserve|retain)s? (?:the |your |all )*(?:rest|remainder|remaining|existing|other|previous|original)\b[\w\s]*\b(?:code|as (?:it )?is|as before|unchanged|the same|here)\.?\)?$`,
    String.raw`^\(?(?:the |your )*(?:rest|remainder|remaining|existing|previous|other)\b[\w\s,'’]*\b(?:unchanged|same|before|here|above|code|follows?|stays?|remains?|goes here)\b`,
    String.raw`^\(?(?:unchanged|no (?:further |other |more )?changes?)(?: (?:code|here|below|above|after|beyond)(?: this (?:line|point))?)?\)?\.?$`,
    String.raw`\b(?:remains? (?:the same|unchanged)|same as before|unchanged code|omitted for brevity)\b`,
    String.raw`^(?:the |this )?(?:code|loop|function|method|body|logic|class|implementation|part|section|block)s? (?:is|are|stays?) (?:unchanged|the same|as (?:is|before))\.?$`,
    "^(?:其余|其他|其它|剩余|其餘|此处|这里|以下|后面|原有|现有).{0,12}(?:不变|不變|相同|省略|一样|保持)",
    "^(?:(?:原有|现有|已有|現有|既有)的?(?:代码|逻辑|内容|实现|程式碼)|保持不变|保持不變|同上)$",
    "^(?:残り|以下|以降|他|その他|既存).{0,16}(?:同じ|省略|変更なし|そのまま|変わらず)",
    "^既存の?(?:コード|処理|実装)$",
    "^(?:나머지|이하|다른|기존).{0,16}(?:동일|같|변경|생략|그대로|유지)|^기존 코드$",
    "^(?:der |die |das )?rest.{0,40}(?:unverändert|gleich)|^(?:bestehende|restliche|vorhandene|übrige)[rs]? code\\b",
    "^(?:le )?reste.{0,40}(?:inchangé|identique|même)|^(?:le )?code existant\\b",
    "^(?:el |o )?rest(?:o|ante).{0,40}(?:sin cambios|igual|inalterad|sem )|^(?:el |o )?código existente\\b",
    "^il resto.{0,40}(?:invariat|uguale)|^(?:il )?codice esistente\\b",
    "^остальн.{0,40}(?:без изменений|не изменил|прежн|так же)|^существующий код",
    "^(?:باقي|بقية).{0,40}(?:كما هو|دون تغيير|بدون تغيير)|^الكود (?:الموجود|الحالي)",
  ].join("|"),
  "i",
);

/** Full text of a placeholder comment that does not mention code. */
const STANDS_FOR_CODE =
  /^(?:snip(?:ped)?|omitted|truncated|elided|etc\.?|usw\.?|⋮+|省略|以下省略|中略|後略|以下略|略|変更なし|无变化|不变|중략|생략|이하 생략|변경 없음|unverändert|inchangé|sin cambios|sem alterações|без изменений)$/i;

/** Sign around a placeholder: "--- existing code ---", "{{ existing code }}". */
const DECORATION = /[-=*~_.<>{}[\]()（）【】\s]/;

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
  if (DOTS_AT_END.test(words) && NAMES_THE_REST.test(words)) return true;
  const plain = withoutDecoration(words);
  return SAYS_UNCHANGED.test(plain) || STANDS_FOR_CODE.test(plain);
}

/** Returns true for a line of dots that is the body of a Python function or class. */
export function isStub(line: string, lineAbove = ""): boolean {
  return /^\s*\.{3}\s*$/.test(line) && /:\s*$/.test(lineAbove);
}

function withoutDecoration(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && DECORATION.test(text.charAt(start))) start++;
  while (end > start && DECORATION.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
