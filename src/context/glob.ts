/**
 * Matches paths with globs as VS Code writes them: `*`, `**`, `?`, `{a,b}` and `[a-z]`. Case is
 * ignored. Paths have `/` between names and no `/` at the start. Takes at most as many steps as the
 * product of both lengths, because globs come from the workspace: all states of an automaton are
 * followed at once. Sets of states are kept, so that most paths take a step for each character,
 * whatever the number of globs. Syntax: https://code.visualstudio.com/docs/editor/glob-patterns
 */

/**
 * Upper limits of a glob, a list of globs and a path, in UTF-16 units; longer ones match nothing. Paths
 * have at most 4,096 bytes on Linux (PATH_MAX).
 */
const MAX_LENGTH = 500;
const MAX_LIST_LENGTH = 2_000;
export const MAX_PATH = 4_096;

/** Splits a list of globs at its commas; a comma in braces belongs to its glob. */
export function splitGlobs(list: string): string[] {
  if (list.length > MAX_LIST_LENGTH) return [];
  const globs: string[] = [];
  let depth = 0;
  let glob = "";
  for (const character of list) {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "," && depth <= 0) {
      globs.push(glob);
      glob = "";
    } else glob += character;
  }
  return [...globs, glob].map((one) => one.trim()).filter((one) => one !== "");
}

/** Returns true for a glob of all files, which applies to questions without a file too. */
export function matchesEverything(glob: string): boolean {
  return glob === "**" || glob === "**/*" || glob === "*";
}

/**
 * Returns a matcher for paths relative to the workspace folder, true if one of the globs matches. A glob
 * with `/` at its start is relative to that folder; any other glob matches in each folder. A glob that is
 * not valid, as with an open bracket, matches nothing.
 */
export function globMatcher(...globs: readonly string[]): (path: string) => boolean {
  const list = new GlobList();
  for (const glob of globs) list.add(glob);
  return (path) => path.length <= MAX_PATH && (list.matchesOf(path).at(-1) ?? []).length > 0;
}

/** Globs that are compared with a path at once. */
export class GlobList {
  private readonly automaton = new Automaton();

  /** Adds a glob; returns false, without an effect, for a glob that is not valid. */
  add(glob: string): boolean {
    return glob.length <= MAX_LENGTH && this.automaton.add(foldName(glob));
  }

  /**
   * Returns the matching globs of each folder of a path, outermost first, then of the path itself: their
   * numbers in the order in which they were added, from 0.
   */
  matchesOf(path: string): (readonly number[])[] {
    return this.automaton.matchesOf(foldName(path));
  }
}

/** Folds case and composed characters, as file systems do: both forms of a sigma are one letter. */
function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** A character of a class, or the first and the last of a range such as `a-z`. */
const RANGE = /([^])(?:-([^]))?/gu;

/** Upper limit of the states in all kept sets, with the steps between sets. */
const MAX_KEPT = 500_000;

/** States that an automaton can be in, with the sets that follow after a character. */
interface StateSet {
  readonly states: readonly number[];
  /** Numbers of the globs that end here, in ascending order. */
  readonly ended: readonly number[];
  readonly next: Map<string, StateSet>;
}

/** Automaton of globs: a state has a character that leads to the next state, and free steps. */
class Automaton {
  private readonly characters: (((character: string) => boolean) | undefined)[] = [undefined];
  /** Target of the character of each state. */
  private readonly targets: number[] = [0];
  private readonly free: number[][] = [[]];
  /** States after the same piece from the same state, so that globs that begin alike share states. */
  private readonly shared = new Map<string, number>();
  /** Numbers of the globs by their last states. */
  private readonly ends = new Map<number, number[]>();
  private globCount = 0;
  private readonly kept = new Map<string, StateSet>();
  private keptSize = 0;
  private glob = "";
  private at = 0;

  /** Adds a glob; returns false for a glob that is not valid. */
  add(glob: string): boolean {
    this.forgetSets();
    this.glob = glob.startsWith("/") ? glob.slice(1) : `**/${glob}`;
    this.at = 0;
    const end = this.readSequence(0, true);
    if (end === undefined || this.at < this.glob.length) return false;
    this.ends.set(end, [...(this.ends.get(end) ?? []), this.globCount++]);
    return true;
  }

  matchesOf(path: string): (readonly number[])[] {
    const found: (readonly number[])[] = [];
    let current = this.reach([0]);
    for (const character of path) {
      if (character === "/") found.push(current.ended);
      let next = current.next.get(character);
      if (next === undefined) {
        next = this.reach(this.after(current, character));
        current.next.set(character, next);
        this.keptSize++;
      }
      current = next;
    }
    return [...found, current.ended];
  }

  private after({ states }: StateSet, character: string): number[] {
    return states.flatMap((state) =>
      this.characters[state]?.(character) === true ? (this.targets[state] ?? 0) : [],
    );
  }

  /** Returns the set of the states, and of those that free steps reach. */
  private reach(from: readonly number[]): StateSet {
    const reached = new Set(from);
    for (const state of reached) {
      for (const target of this.free[state] ?? []) reached.add(target);
    }
    const states = [...reached].sort((one, other) => one - other);
    const key = states.join();
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    if (this.keptSize > MAX_KEPT) this.forgetSets();
    const ended = states.flatMap((state) => this.ends.get(state) ?? []);
    const set = { states, ended: ended.sort((one, other) => one - other), next: new Map() };
    this.kept.set(key, set);
    this.keptSize += states.length;
    return set;
  }

  /** Removes all kept sets; also the links between them, which would hold them in memory. */
  private forgetSets(): void {
    for (const { next } of this.kept.values()) next.clear();
    this.kept.clear();
    this.keptSize = 0;
  }

  /** Adds a state that follows `from` after a character, or freely. */
  private addState(from: number, accepts?: (character: string) => boolean): number {
    const state = this.free.push([]) - 1;
    this.characters.push(undefined);
    this.targets.push(0);
    if (accepts === undefined) this.free[from]?.push(state);
    else {
      this.characters[from] = accepts;
      this.targets[from] = state;
    }
    return state;
  }

  /** Returns the state that follows `from` after a piece of a glob; adds the states if they are new. */
  private share(from: number, piece: string, add: (from: number) => number): number {
    const key = `${from} ${piece}`;
    // A state has one character only, so each piece begins with a state of its own.
    const state = this.shared.get(key) ?? add(this.addState(from));
    this.shared.set(key, state);
    return state;
  }

  /** Reads up to the end, or in braces up to `,` or `}`; returns the last state. */
  private readSequence(start: number, isOutside: boolean): number | undefined {
    let state: number | undefined = start;
    while (state !== undefined && this.at < this.glob.length) {
      const character = String.fromCodePoint(this.glob.codePointAt(this.at) ?? 0);
      if (!isOutside && (character === "," || character === "}")) return state;
      this.at += character.length;
      if (character === "*") state = this.readStars(state);
      else if (character === "?")
        state = this.share(state, "?", (own) => this.addState(own, isInName));
      else if (character === "{") state = this.readChoices(state);
      else if (character === "[") state = this.readClass(state);
      else
        state = this.share(state, `=${character}`, (own) =>
          this.addState(own, (one) => one === character),
        );
    }
    return isOutside ? state : undefined;
  }

  /** `**` as a whole name matches any number of folders; other stars match within a name. */
  private readStars(state: number): number {
    const { glob } = this;
    const before = glob.charAt(this.at - 2);
    while (glob.charAt(this.at) === "*") this.at++;
    const after = glob.charAt(this.at);
    const isFolders =
      glob.slice(0, this.at).endsWith("**") && /^[/{,]?$/.test(before) && /^[/},]?$/.test(after);
    if (!isFolders) return this.share(state, "*", (loop) => this.repeat(loop, isInName));
    if (after !== "/") return this.share(state, "**", (loop) => this.repeat(loop, () => true));
    // Any number of names with `/`.
    this.at++;
    return this.share(state, "**/", (loop) => {
      const inName = this.addState(this.addState(loop, isInName));
      const nextCharacter = this.addState(inName);
      this.free[this.addState(nextCharacter, isInName)]?.push(inName);
      this.free[this.addState(this.addState(inName), (one) => one === "/")]?.push(loop);
      return this.addState(loop);
    });
  }

  /** Adds states for any number of characters; returns the last. */
  private repeat(loop: number, accepts: (character: string) => boolean): number {
    this.free[this.addState(loop, accepts)]?.push(loop);
    return this.addState(loop);
  }

  private readChoices(state: number): number | undefined {
    const ends: number[] = [];
    do {
      const end = this.readSequence(state, false);
      if (end === undefined) return undefined;
      ends.push(end);
    } while (this.glob.charAt(this.at++) === ",");
    const [first = state, ...others] = ends;
    const joined = this.addState(first);
    for (const end of others) this.free[end]?.push(joined);
    return joined;
  }

  private readClass(state: number): number | undefined {
    // `]` as the first character belongs to the class.
    const end = this.glob.indexOf("]", this.at + (/^[!^]/.test(this.glob.slice(this.at)) ? 2 : 1));
    if (end === -1) return undefined;
    const written = this.glob.slice(this.at, end);
    this.at = end + 1;
    const isNegated = /^[!^]/.test(written);
    const ranges = [...(isNegated ? written.slice(1) : written).matchAll(RANGE)];
    const isMember = (one: string) =>
      ranges.some(([, first = "", last = first]) => first <= one && one <= last);
    return this.share(state, `[${written}]`, (own) =>
      this.addState(own, (one) => isInName(one) && isMember(one) !== isNegated),
    );
  }
}

function isInName(character: string): boolean {
  return character !== "/";
}
