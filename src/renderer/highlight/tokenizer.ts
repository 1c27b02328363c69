/**
 * Tokenizes code line by line with TextMate grammars. Keeps the grammar's state between lines, so
 * that growing code is never tokenized again. Runs in the worker, and in Node for tests.
 */
import { Registry, type IGrammar, type IRawGrammar, type StateStack } from "@shikijs/core/textmate";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import type { Grammar } from "./protocol";
import type { ScopeStyles } from "./scopeStyles";

/** Time limit of a block, in milliseconds; its remaining lines stay plain. */
const MAX_BLOCK_MS = 2_000;

/** Time limit of a line, in milliseconds. */
const MAX_LINE_MS = 500;

/**
 * The first lines of a language compile its patterns and have higher limits, in total and per line.
 */
const COLD_LINES = 60;
const MAX_COLD_MS = 8_000;

export interface BlockTokenizer {
  /**
   * Tokenizes lines, in the format of `tokens-found`; returns undefined once the block is given up.
   */
  tokenizeLines(lines: readonly string[]): Uint32Array<ArrayBuffer> | undefined;
}

export class Tokenizer {
  /** By scope name, each with only the grammars of that language: a registry keeps a missing one. */
  private readonly registries = new Map<string, Registry>();
  /** A pattern that the engine cannot compile is skipped; otherwise the whole grammar would fail. */
  private readonly engine = createJavaScriptRegexEngine({ forgiving: true });

  /** @param now returns the time in milliseconds */
  constructor(
    readonly styles: ScopeStyles,
    readonly now: () => number,
  ) {}

  /** Adds a language: its grammar, preceded by all grammars that it depends on. */
  addGrammars(grammars: readonly Grammar[]): void {
    const registry = new Registry({
      onigLib: {
        createOnigScanner: (patterns) => this.engine.createScanner(patterns),
        createOnigString: (text) => this.engine.createString(text),
      },
      loadGrammar: (name) =>
        (grammars.find(({ scopeName }) => scopeName === name) as unknown as
          IRawGrammar | undefined) ?? null,
      getInjections: (name) =>
        grammars
          .filter((grammar) => grammar.injectTo?.includes(name) === true)
          .map((grammar) => grammar.scopeName),
    });
    this.registries.set(grammars.at(-1)?.scopeName ?? "", registry);
  }

  /** Opens a block in an added language; returns undefined if its grammar is unusable. */
  openBlock(scopeName: string): BlockTokenizer | undefined {
    let grammar: IGrammar | null | undefined;
    try {
      grammar = this.registries.get(scopeName)?.loadGrammar(scopeName);
    } catch {
      // The grammar cannot be compiled: the code stays plain.
    }
    return grammar ? this.createBlockTokenizer(grammar) : undefined;
  }

  private readonly lineCounts = new WeakMap<IGrammar, number>();

  private createBlockTokenizer(grammar: IGrammar): BlockTokenizer {
    let state: StateStack | null = null;
    let spentMs = 0;
    let spentColdMs = 0;
    return {
      tokenizeLines: (lines) => {
        const tokens: number[] = [];
        for (const line of lines) {
          const before = this.lineCounts.get(grammar) ?? 0;
          this.lineCounts.set(grammar, before + 1);
          const isCold = before < COLD_LINES;
          const from = this.now();
          let result;
          try {
            result = grammar.tokenizeLine(line, state, isCold ? MAX_COLD_MS : MAX_LINE_MS);
          } catch {
            return undefined;
          }
          if (isCold) spentColdMs += this.now() - from;
          else spentMs += this.now() - from;
          const isTooSlow = spentMs > MAX_BLOCK_MS || spentColdMs > MAX_COLD_MS;
          if (result.stoppedEarly || isTooSlow) return undefined;
          state = result.ruleStack;
          this.collect(line, result.tokens, tokens);
        }
        return new Uint32Array(tokens);
      },
    };
  }

  /**
   * Adds the tokens of a line. Merges adjacent tokens of the same style and blanks between them.
   */
  private collect(
    line: string,
    tokens: readonly { startIndex: number; endIndex: number; scopes: string[] }[],
    found: number[],
  ): void {
    const countAt = found.push(0) - 1;
    let count = 0;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const end = Math.min(endIndex, line.length);
      if (end <= startIndex) continue;
      const isBlank = line.slice(startIndex, end).trim() === "";
      const style = isBlank && count > 0 ? (found.at(-1) ?? 0) : this.styles.numberOf(scopes);
      if (count > 0 && found.at(-1) === style) found[found.length - 2] = end;
      else {
        found.push(end, style);
        count++;
      }
    }
    found[countAt] = count;
  }
}
