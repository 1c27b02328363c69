/**
 * Takes the first of several proposals in a reply ("Option 1 … Option 2 …", "1. … 2. …"), whole and
 * without its label. Does not look inside fences.
 */

/** Words for a proposal, before or after a number. */
const PROPOSAL =
  "options?|alternatives?|versions?|variants?|variantes?|suggestions?|proposals?|candidates?|choices?|ideas?|messages?|commit messages?|opción|opciones|propuestas?|sugerencias?|opção|opções|propostas?|opzion[ei]|propost[ae]|propositions?|vorschl(?:ag|äge)|varianten?|optionen|вариант(?:ы|ов)?|предложени[ея]|选项|選項|方案|版本|建议|建議|候选|オプション|案|候補|提案|バージョン|옵션|제안|후보|خيار|الخيار|اقتراح|विकल्प";

/** Numbers of the first proposals; the position in the list is the number. */
const NUMBERS: readonly RegExp[] = [
  /^(?:1|a|i|one|一|①|1️⃣|first|erste[rs]?|première?|primer[ao]?|первый|第一)$/iu,
  /^(?:2|b|ii|two|二|②|2️⃣|second|zweite[rs]?|deuxième|seconde?|segund[ao]|second[ao]|второй|第二)$/iu,
];

const NUMBER =
  "\\d|[a-c]|i{1,3}|one|two|three|[一二三①②③]|[123]\\uFE0F?\\u20E3|first|second|third|第[一二三]";
const ORDINAL =
  "first|second|third|erste[rs]?|zweite[rs]?|première?|deuxième|primer[ao]?|segund[ao]|prim[ao]|second[ao]|первый|второй|第[一二三](?:个|個|种|種)?";

/** "Option 1", "方案一", "Option #2". */
const NUMBERED = new RegExp(
  `^(?:${PROPOSAL})[\\s#№]{0,3}(${NUMBER})(?![\\p{L}\\p{N}])([^]*)$`,
  "iu",
);

/** "First option", "第一个方案". */
const ORDERED = new RegExp(`^(${ORDINAL})\\s*(?:${PROPOSAL})(?![\\p{L}\\p{N}])([^]*)$`, "iu");

/** "Short version", "Detailed", "简洁版": proposals that differ by their length or style. */
const STYLED =
  /^(?:(?:more|very)\s)?(?:short(?:er)?|concise|brief|simple|minimal|compact|long(?:er)?|detailed|verbose|descriptive|full|standard|conventional|formal|kurz|ausführlich|court|concis|détaillé|corto|breve|detallado|curto|detalhado|dettagliato|краткий|подробный|简洁|簡潔|简短|简要|详细|詳細|完整|规范|短い|詳しい|간단|상세)(?:e[rs]?|a|o)?(?:\s*(?:version|option|message|variante|versión|versão|versione|вариант|版本?|版))?\s*[:：]$/iu;

/** List marker of an enumeration; the group is its number. */
const ENUMERATED = /^(?:\(?(\d|[A-Ca-c])[.)]|([①②③]))\s+(?=\S)/u;

/** Words of an introduction to several proposals. */
const SEVERAL = new RegExp(
  `(?<![\\p{L}])(?:choose|pick|several|a few|(?:two|three|four|some|zwei|drei|deux|trois|dos|tres|duas|três|due|tre|два|три|[2-5两三几])\\s*(?:[\\p{L}]+\\s+){0,2}(?:个|種|种|つの)?(?:${PROPOSAL}))`,
  "iu",
);

/** Upper limit of a line with a label, in UTF-16 units; a longer line is no label and no subject. */
const MAX_LABEL_LINE = 1_000;

type Style = "numbered" | "ordered" | "styled" | "enumerated" | "bulleted";

/** Label of a proposal. */
interface Label {
  readonly style: Style;
  /** 0 for the first proposal; undefined for labels without an order. */
  readonly number: number | undefined;
  /** Text after the label on the same line. */
  readonly rest: string;
}

/** Shape of a note instead of a subject after a label: "(concise)", "Concise:". */
const NOTE = /^(?:[(（][^()（）]*[)）]\s*[:：.]?|.*[:：])$/u;

/** @param isWhole false for a growing reply and for a reply that was cut */
export function firstOption(text: string, isWhole: boolean): string {
  const lines = text.split("\n");
  const labels = labelsOf(lines);
  const start = labels.findIndex((label, at) => label !== undefined && isFirst(label, lines, at));
  const first = labels[start];
  if (first === undefined) return text;
  const isOpen = !isWhole && start === lines.length - 1;
  const next = labels.findIndex(
    (label, at) => at > start && label?.style === first.style && isNext(label),
  );
  const isProven = next !== -1 || first.style === "numbered" || first.style === "ordered";
  if (!isProven || isOpen) return isProven && first.style !== "numbered" ? "" : text;
  const body = lines.slice(start + 1, next === -1 ? undefined : next);
  const isIndented = first.style === "enumerated" || first.style === "bulleted";
  const own = isIndented ? body.map((line) => line.replace(/^ {1,4}/, "")) : body;
  return [...(isNote(first.rest, own) ? [] : [first.rest]), ...own].join("\n").trim();
}

function isNext({ style, number }: Label): boolean {
  return number === 1 || style === "styled" || style === "bulleted";
}

/** Returns true for a label with nothing but an introduction above. */
function isFirst({ style, number }: Label, lines: readonly string[], at: number): boolean {
  if (number !== undefined && number !== 0) return false;
  const above = lines.slice(0, at).filter((line) => line.trim() !== "");
  if (style === "numbered" || style === "ordered") return !isSubject(above[0]);
  const isIntroduced = above.length <= 1 && above.every((line) => /[:：]\s*\**$/.test(line));
  return isIntroduced && (style !== "bulleted" || SEVERAL.test(above[0] ?? ""));
}

/** Returns true if proposals below a line belong to the body of this line's message. */
function isSubject(line = "Options:"): boolean {
  return /^[a-z]+(?:\([^()]*\))?!?: \S/.test(line) || !/^#|[:：.。!！…]\**\s*$/.test(line);
}

function isNote(rest: string, body: readonly string[]): boolean {
  if (rest === "" || NOTE.test(rest)) return true;
  const isFollowed = body.some((line) => line.trim() !== "" && !/^\s*[-*+]\s/.test(line));
  const words = rest.split(/\s+/).length;
  const isShort = /\p{Script=Han}/u.test(rest) ? rest.length <= 4 : words <= 2;
  return isFollowed && isShort && !/[:：]\s*\S/.test(rest);
}

function labelOf(line: string): Label | undefined {
  const enumerated = ENUMERATED.exec(line);
  if (enumerated !== null) {
    const inner = labelOf(line.slice(enumerated[0].length));
    if (inner !== undefined && inner.style !== "bulleted") return inner;
    const number = numberOf(enumerated[1] ?? enumerated[2] ?? "");
    return { style: "enumerated", number, rest: line.slice(enumerated[0].length).trim() };
  }
  const bullet = /^[-*+]\s+(?=\S)/.exec(line)?.[0] ?? "";
  const plain = line.slice(bullet.length).replace(/^#{1,6}\s+/, "");
  const text = plain.replaceAll(/\*\*|__/g, "").trim();
  const numbered = NUMBERED.exec(text) ?? ORDERED.exec(text);
  if (numbered !== null) {
    const [, number = "", after = ""] = numbered;
    const rest = /^(?:[:：.)–—-]|[(（][^()（）]*[)）] ?[:：–—-]?|$)([^]*)$/u.exec(
      after.trimStart(),
    )?.[1];
    if (rest !== undefined) {
      const style = ORDERED.test(text) ? "ordered" : "numbered";
      return { style, number: numberOf(number), rest: rest.trim() };
    }
  }
  if (STYLED.test(text)) return { style: "styled", number: undefined, rest: "" };
  return bullet === ""
    ? undefined
    : { style: "bulleted", number: undefined, rest: line.slice(bullet.length).trim() };
}

function numberOf(text: string): number | undefined {
  const at = NUMBERS.findIndex((number) => number.test(text.replace(/^(第[一二三]).*$/u, "$1")));
  return at === -1 ? undefined : at;
}

/** Returns the labels of all lines; undefined for a line without one or in a fence. */
function labelsOf(lines: readonly string[]): (Label | undefined)[] {
  let isFenced = false;
  return lines.map((line) => {
    const isMark = /^\s*(?:>\s*)?(?:`{3,}|~{3,})/.test(line);
    if (isMark) isFenced = !isFenced;
    return isFenced || isMark || line.length > MAX_LABEL_LINE ? undefined : labelOf(line);
  });
}
