/**
 * Counts the steps of a backtracking search (tests of a character, an edge or a loop), as V8's engine for regular expressions takes them. Steps
 * do not depend on the machine, so a test can state their upper limit.
 */
import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** Instruction of a compiled pattern; numbers are indexes of instructions. */
type Instruction =
  | { readonly kind: "character"; readonly accepts: (codePoint: number) => boolean }
  /** Greedy repetition of a character. */
  | {
      readonly kind: "run";
      readonly accepts: (codePoint: number) => boolean;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: "split"; readonly first: number; readonly second: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "set"; readonly loop: number }
  | {
      readonly kind: "loop";
      readonly loop: number;
      readonly quantifier: AST.Quantifier;
      readonly body: number;
      readonly after: number;
    }
  | { readonly kind: "edge"; readonly edge: "start" | "end" | "word"; readonly negate: boolean }
  | {
      readonly kind: "look";
      readonly negate: boolean;
      readonly after: number;
    }
  | { readonly kind: "open"; readonly group: number }
  | { readonly kind: "close"; readonly group: number }
  | { readonly kind: "same"; readonly group: number }
  | { readonly kind: "match" };

/** Values of loops (count and start of the round) and of groups (start and end); replaced, not changed. */
type Registers = readonly number[];

interface Thread {
  readonly at: number;
  readonly position: number;
  readonly registers: Registers;
  /** Lowest position of a run, which gives back one character after the other. */
  readonly lowest?: number;
}

/** A pattern that counts the steps of its searches. */
export class CountedPattern {
  private readonly code: (Instruction & { isBackward: boolean })[] = [];
  private readonly registers: number[] = [];
  private readonly groups = new Map<AST.CapturingGroup, number>();
  private readonly flags: AST.Flags;
  private steps = 0;

  constructor(source: string, flags: string) {
    const parser = new RegExpParser();
    const mode = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
    this.flags = parser.parseFlags(flags);
    const pattern = parser.parsePattern(source, 0, source.length, mode);
    this.alternatives(pattern.alternatives, false);
    this.add({ kind: "match" }, false);
  }

  /**
   * Returns the steps of a search for all matches in `text`.
   * @param maxSteps steps after which the search stops
   */
  stepsIn(text: string, maxSteps: number): number {
    this.steps = 0;
    for (let position = 0; position <= text.length && this.steps <= maxSteps;) {
      const end = this.run(text, { at: 0, position, registers: this.registers }, maxSteps);
      position = end === undefined || end.position === position ? position + 1 : end.position;
      if (this.flags.sticky) break;
    }
    return this.steps;
  }

  private run(text: string, start: Thread, maxSteps: number): Thread | undefined {
    const threads = [start];
    for (let thread = threads.pop(); thread !== undefined; thread = threads.pop()) {
      let { at, position, registers } = thread;
      const { lowest = position } = thread;
      if (position > lowest) {
        const isPair = this.isUnicode && (text.codePointAt(position - 2) ?? 0) > 0xffff;
        threads.push({ at, position: position - (isPair ? 2 : 1), registers, lowest });
      }
      for (;;) {
        const step = this.code[at];
        if (step === undefined) throw new Error("no instruction");
        if (isTest(step) && ++this.steps > maxSteps) return undefined;
        if (step.kind === "match") return { at, position, registers };
        at++;
        if (step.kind === "character") {
          const next = nextCharacter(text, position, step.isBackward, this.isUnicode);
          if (next === undefined || !step.accepts(next.codePoint)) break;
          position = next.position;
        } else if (step.kind === "run") {
          let lowest = step.min === 0 ? position : -1;
          for (let count = 1; count <= step.max; count++) {
            const next = nextCharacter(text, position, false, this.isUnicode);
            this.steps++;
            if (next === undefined || !step.accepts(next.codePoint)) break;
            position = next.position;
            if (count === step.min) lowest = position;
          }
          if (this.steps > maxSteps) return undefined;
          if (lowest === -1) break;
          threads.push({ at, position, registers, lowest });
          break;
        } else if (step.kind === "split") {
          threads.push({ at: step.second, position, registers });
          at = step.first;
        } else if (step.kind === "jump") at = step.to;
        else if (step.kind === "set") {
          registers = registers.with(step.loop, 0).with(step.loop + 1, -1);
        } else if (step.kind === "loop") {
          const { loop, quantifier, body, after } = step;
          const count = registers[loop] ?? 0;
          const isEmpty = count > quantifier.min && registers[loop + 1] === position;
          if (isEmpty) break;
          const entered = registers.with(loop, count + 1).with(loop + 1, position);
          if (count < quantifier.min) {
            at = body;
            registers = entered;
          } else if (count >= quantifier.max) at = after;
          else if (quantifier.greedy) {
            threads.push({ at: after, position, registers });
            at = body;
            registers = entered;
          } else {
            threads.push({ at: body, position, registers: entered });
            at = after;
          }
        } else if (step.kind === "edge") {
          if (this.isEdge(text, position, step.edge) === step.negate) break;
        } else if (step.kind === "look") {
          const found = this.run(text, { at, position, registers }, maxSteps);
          if (this.steps > maxSteps) return undefined;
          if ((found === undefined) !== step.negate) break;
          if (found !== undefined) registers = found.registers;
          at = step.after;
        } else if (step.kind === "open") registers = registers.with(step.group, position);
        else if (step.kind === "close") registers = registers.with(step.group + 1, position);
        else {
          const bounds = [registers[step.group] ?? -1, registers[step.group + 1] ?? -1].sort(
            (a, b) => a - b,
          );
          const [from = -1, to = -1] = bounds;
          const same = from === -1 ? "" : text.slice(from, to);
          const start = step.isBackward ? position - same.length : position;
          if (text.slice(start, start + same.length) !== same) break;
          position = step.isBackward ? start : start + same.length;
          this.steps += same.length;
        }
      }
    }
    return undefined;
  }

  private get isUnicode(): boolean {
    return this.flags.unicode || this.flags.unicodeSets;
  }

  private isEdge(text: string, position: number, edge: "start" | "end" | "word"): boolean {
    if (edge === "word") return isWord(text, position - 1) !== isWord(text, position);
    const neighbor = text[edge === "start" ? position - 1 : position];
    return neighbor === undefined || (this.flags.multiline && /[\n\r\u2028\u2029]/.test(neighbor));
  }

  private acceptor(node: CharacterNode): (codePoint: number) => boolean {
    return acceptorOf(node, this.flags.raw.replace(/[gyd]/g, ""));
  }

  private add(step: Instruction, isBackward: boolean): number {
    return this.code.push({ ...step, isBackward }) - 1;
  }

  private alternatives(all: readonly AST.Alternative[], isBackward: boolean): void {
    const ends: number[] = [];
    all.forEach(({ elements }, index) => {
      const split = index < all.length - 1 ? this.add({ kind: "jump", to: 0 }, false) : undefined;
      for (const element of isBackward ? elements.toReversed() : elements)
        this.element(element, isBackward);
      if (split === undefined) return;
      ends.push(this.add({ kind: "jump", to: 0 }, false));
      this.code[split] = {
        kind: "split",
        first: split + 1,
        second: this.code.length,
        isBackward: false,
      };
    });
    for (const end of ends)
      this.code[end] = { kind: "jump", to: this.code.length, isBackward: false };
  }

  private element(node: AST.Element, isBackward: boolean): void {
    switch (node.type) {
      case "Character":
      case "CharacterClass":
      case "CharacterSet":
      case "ExpressionCharacterClass":
        this.add({ kind: "character", accepts: this.acceptor(node) }, isBackward);
        return;
      case "Group":
        this.alternatives(node.alternatives, isBackward);
        return;
      case "CapturingGroup": {
        const group = this.registers.push(-1, -1) - 2;
        this.groups.set(node, group);
        this.add({ kind: "open", group }, isBackward);
        this.alternatives(node.alternatives, isBackward);
        this.add({ kind: "close", group }, isBackward);
        return;
      }
      case "Backreference": {
        const target = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved;
        this.add(
          { kind: "same", group: this.groups.get(target as AST.CapturingGroup) ?? 0 },
          isBackward,
        );
        return;
      }
      case "Assertion": {
        if (node.kind === "word") {
          this.add({ kind: "edge", edge: "word", negate: node.negate }, isBackward);
        } else if (node.kind === "lookahead" || node.kind === "lookbehind") {
          const { kind, negate } = node;
          const look = this.add({ kind: "match" }, false);
          this.alternatives(node.alternatives, kind === "lookbehind");
          this.add({ kind: "match" }, false);
          this.code[look] = { kind: "look", negate, after: this.code.length, isBackward };
        } else {
          this.add({ kind: "edge", edge: node.kind, negate: false }, isBackward);
        }
        return;
      }
      case "Quantifier": {
        const { element, min, max, greedy } = node;
        if (greedy && !isBackward && isCharacter(element)) {
          this.add({ kind: "run", accepts: this.acceptor(element), min, max }, false);
          return;
        }
        const loop = this.registers.push(0, -1) - 2;
        this.add({ kind: "set", loop }, isBackward);
        const head = this.add({ kind: "match" }, false);
        this.element(node.element, isBackward);
        this.add({ kind: "jump", to: head }, false);
        const after = this.code.length;
        this.code[head] = {
          kind: "loop",
          loop,
          quantifier: node,
          body: head + 1,
          after,
          isBackward,
        };
        return;
      }
      default:
        node satisfies never;
    }
  }
}

/** Jumps and the choice of an alternative take no time in comparison with tests of the text. */
function isTest({ kind }: Instruction): boolean {
  return kind === "character" || kind === "edge" || kind === "loop" || kind === "look";
}

export type CharacterNode =
  AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass;

/** Returns a function for the code points that a character or a class accepts, by the engine itself. */
export function acceptorOf(node: CharacterNode, flags: string): (codePoint: number) => boolean {
  if (node.type === "Character" && !flags.includes("i"))
    return (codePoint) => codePoint === node.value;
  const written =
    node.type === "Character"
      ? String.fromCodePoint(node.value).replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")
      : node.raw;
  const pattern = new RegExp(`^(?:${written})$`, flags.replace("m", ""));
  const known = new Map<number, boolean>();
  return (codePoint) => {
    let accepted = known.get(codePoint);
    if (accepted === undefined) {
      accepted = pattern.test(String.fromCodePoint(codePoint));
      known.set(codePoint, accepted);
    }
    return accepted;
  };
}

function nextCharacter(text: string, position: number, isBackward: boolean, isUnicode: boolean) {
  if (isBackward) {
    if (position === 0) return undefined;
    const isPair = isUnicode && position > 1 && (text.codePointAt(position - 2) ?? 0) > 0xffff;
    const start = position - (isPair ? 2 : 1);
    return {
      codePoint: isPair ? (text.codePointAt(start) ?? 0) : text.charCodeAt(start),
      position: start,
    };
  }
  if (position >= text.length) return undefined;
  const codePoint = isUnicode ? (text.codePointAt(position) ?? 0) : text.charCodeAt(position);
  return { codePoint, position: position + (codePoint > 0xffff ? 2 : 1) };
}

function isWord(text: string, position: number): boolean {
  return /^\w$/.test(text.charAt(position));
}

export function isCharacter(node: AST.Element): node is CharacterNode & AST.Element {
  return ["Character", "CharacterClass", "CharacterSet", "ExpressionCharacterClass"].includes(
    node.type,
  );
}
