/**
 * Makes the texts that keep a regular expression busy: for each repetition, the text before it many
 * times inside the repetition, so that a search begins at each of them and runs to the end.
 */
import { RegExpParser, visitRegExpAST, type AST } from "@eslint-community/regexpp";
import { acceptorOf, isCharacter } from "./countSteps";

/** Characters that stand for the usual classes. */
const CHARACTERS = Array.from(" \n\ta0A-_./\\\"'`<>(){}[]:;,=*#$%&@!~|^+?é中\u0001");

/** Text after the repeated part, which most patterns reject. */
const ENDS = ["\u0001", "\n"];

/** A text of any length that keeps a pattern busy. */
export interface Pump {
  readonly before: string;
  readonly unit: string;
  readonly end: string;
}

/** Returns the text of a pump with about `length` UTF-16 units. */
export function pumpedText({ before, unit, end }: Pump, length: number): string {
  return before + unit.repeat(Math.max(2, Math.floor(length / unit.length))) + end;
}

/** Splits a long list of alternatives, perhaps after assertions, into patterns of their own. */
export function partsOf(source: string, flags: string): string[] {
  const { alternatives } = parse(source, flags);
  const [only] = alternatives;
  if (only === undefined || alternatives.length > 1) return alternatives.map(({ raw }) => raw);
  const last = only.elements.at(-1);
  const before = only.elements.slice(0, -1);
  if (last?.type !== "Group" || before.some(({ type }) => type !== "Assertion")) return [source];
  return last.alternatives.map(({ raw }) => before.map((one) => one.raw).join("") + raw);
}

function parse(source: string, flags: string): AST.Pattern {
  const mode = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  return new RegExpParser().parsePattern(source, 0, source.length, mode);
}

/** Returns the pumps of a pattern. */
export function pumpsOf(source: string, flags: string): Pump[] {
  const pattern = parse(source, flags);
  const plainFlags = flags.replace(/[gyd]/g, "");
  const sample = new Samples(plainFlags);
  const pumps = new Map<string, Pump>();
  const addPump = (before: string, unit: string): void => {
    if (unit === "") return;
    for (const end of ENDS) pumps.set(JSON.stringify([before, unit, end]), { before, unit, end });
  };
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max < 2) return;
      const before = sample.before(node);
      const accepted = new Set([
        ...sample.characters(node.element).slice(0, 6),
        ...sample.texts(node.element),
      ]);
      for (const start of before) {
        addPump("", start);
        for (const inner of accepted) {
          addPump(start, inner);
          addPump("", inner + start);
          // The text before the repetition inside it, as an escaped quotation mark.
          addPump("", inner.slice(0, -1) + start);
          addPump("", start + inner.repeat(Math.min(Math.max(node.min, 1), 40)) + start);
          addPump("", inner + start + inner.repeat(Math.min(Math.max(node.min, 1), 40)));
        }
      }
    },
  });
  for (const text of sample.alternativesOf(pattern.alternatives)) {
    addPump("", text);
    addPump("", ` ${text}`);
    addPump("", `${text}\n`);
    addPump("", text.slice(0, -1));
  }
  return [...pumps.values()];
}

/** Makes short texts that parts of a pattern accept, without regard to assertions. */
class Samples {
  constructor(private readonly flags: string) {}

  /** Characters of the usual ones that a part accepts in some place. */
  characters(node: AST.Element): string[] {
    const found = new Set<string>();
    const collect = (inner: AST.CharacterClass | AST.CharacterSet | AST.Character): void => {
      const accepts = acceptorOf(inner, this.flags);
      const own = inner.type === "Character" ? [String.fromCodePoint(inner.value)] : [];
      for (const character of [...own, ...CHARACTERS]) {
        if (accepts(character.codePointAt(0) ?? 0)) found.add(character);
      }
    };
    if (isCharacter(node)) {
      const accepts = acceptorOf(node, this.flags);
      const kinds = [/\w/, /\s/, /[^\w\s]/, /\n/];
      const all = CHARACTERS.filter((one) => accepts(one.codePointAt(0) ?? 0));
      const first = kinds.flatMap((kind) => all.find((one) => kind.test(one)) ?? []);
      return [...new Set([...first, ...this.texts(node)])];
    }
    visitRegExpAST(node, {
      onCharacterClassEnter: collect,
      onCharacterSetEnter: collect,
      onCharacterEnter: collect,
    });
    return [...found];
  }

  /** Texts of a part: two at most for an alternation, one for a class. */
  texts(node: AST.Element): string[] {
    if (isCharacter(node)) {
      if (node.type === "Character") return [String.fromCodePoint(node.value)];
      const accepts = acceptorOf(node, this.flags);
      const usual = ["a", "0", "-", "A", " ", ...CHARACTERS].find((one) =>
        accepts(one.codePointAt(0) ?? 0),
      );
      if (usual !== undefined) return [usual];
      for (let codePoint = 0; codePoint < 0x30000; codePoint++) {
        if (accepts(codePoint)) return [String.fromCodePoint(codePoint)];
      }
      return [""];
    }
    if (node.type === "Quantifier") {
      const count = Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 64);
      return this.texts(node.element).map((text) => text.repeat(count));
    }
    if (node.type === "Group" || node.type === "CapturingGroup") {
      return this.alternativesOf(node.alternatives).slice(0, 3);
    }
    if (node.type === "Assertion" && node.kind === "lookbehind" && !node.negate) {
      return this.alternativesOf(node.alternatives).slice(0, 2);
    }
    return [""];
  }

  alternativesOf(all: readonly AST.Alternative[]): string[] {
    return all.map(({ elements }) => this.sequence(elements)[0] ?? "");
  }

  /** Texts before a part, within its alternatives. */
  before(node: AST.Element): string[] {
    let found = [""];
    for (const { parent, index } of ancestors(node)) {
      const ahead = this.sequence(parent.elements.slice(0, index));
      found = ahead.flatMap((text) => found.map((rest) => text + rest)).slice(0, 4);
    }
    return found;
  }

  private sequence(elements: readonly AST.Element[]): string[] {
    let found = [""];
    for (const element of elements) {
      const next = this.texts(element);
      found = found.flatMap((text) => next.map((one) => text + one)).slice(0, 4);
    }
    return found;
  }
}

/** Returns the alternatives around a part, innermost first, with the part's index in each. */
function ancestors(node: AST.Node): { parent: AST.Alternative; index: number }[] {
  const { parent } = node;
  if (parent === null) return [];
  const index = parent.type === "Alternative" ? parent.elements.indexOf(node as AST.Element) : -1;
  const own = parent.type === "Alternative" ? [{ parent, index }] : [];
  return [...own, ...ancestors(parent)];
}
