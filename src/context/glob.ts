/**
 * Matches paths with globs as VS Code writes them: `*`, `**`, `?`, `{a,b}` and `[a-z]`. Case is
 * ignored. Paths have `/` between names and no `/` at the start. Takes at most as many steps as the
 * product of both lengths, because globs come from the workspace: all states of an automaton are
 * followed at once. Syntax: https://code.visualstudio.com/docs/editor/glob-patterns
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
 * Returns a matcher for paths relative to the workspace folder. A glob with `/` at its start is
 * relative to that folder; any other glob matches in each folder. A glob that is not valid, as with
 * an open bracket, matches nothing.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  return validGlob(glob) ?? (() => false);
}

/** Returns the matcher of a glob; undefined for a glob that is not valid. */
export function validGlob(glob: string): ((path: string) => boolean) | undefined {
  if (glob.length > MAX_LENGTH) return undefined;
  const anchored = glob.startsWith("/") ? glob.slice(1) : `**/${glob}`;
  const automaton = new Automaton();
  const end = automaton.read(foldName(anchored));
  if (end === undefined) return undefined;
  return (path) => path.length <= MAX_PATH && automaton.accepts(foldName(path), end);
}

/** Folds case and composed characters, as file systems do: both forms of a sigma are one letter. */
function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** A character of a class, or the first and the last of a range such as `a-z`. */
const RANGE = /([^])(?:-([^]))?/gu;

/** Automaton of a glob: a state has a character that leads to the next state, and free steps. */
class Automaton {
  private readonly characters: (((character: string) => boolean) | undefined)[] = [undefined];
  /** Target of the character of each state. */
  private readonly targets: number[] = [0];
  private readonly free: number[][] = [[]];
  private glob = "";
  private at = 0;

  /** Reads a glob; returns the last state, or undefined for a glob that is not valid. */
  read(glob: string): number | undefined {
    this.glob = glob;
    const end = this.readSequence(0, true);
    return this.at === glob.length ? end : undefined;
  }

  accepts(path: string, end: number): boolean {
    let current = this.reach([0]);
    for (const character of path) {
      const next: number[] = [];
      for (const state of current) {
        if (this.characters[state]?.(character) === true) next.push(this.targets[state] ?? 0);
      }
      if (next.length === 0) return false;
      current = this.reach(next);
    }
    return current.has(end);
  }

  /** Adds the states that free steps reach. */
  private reach(states: readonly number[]): Set<number> {
    const reached = new Set(states);
    for (const state of reached) {
      for (const target of this.free[state] ?? []) reached.add(target);
    }
    return reached;
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

  /** Reads up to the end, or in braces up to `,` or `}`; returns the last state. */
  private readSequence(start: number, isOutside: boolean): number | undefined {
    let state: number | undefined = this.addState(start);
    while (state !== undefined && this.at < this.glob.length) {
      const character = String.fromCodePoint(this.glob.codePointAt(this.at) ?? 0);
      if (!isOutside && (character === "," || character === "}")) return state;
      this.at += character.length;
      if (character === "*") state = this.readStars(state);
      else if (character === "?") state = this.addState(state, isInName);
      else if (character === "{") state = this.readChoices(state);
      else if (character === "[") state = this.readClass(state);
      else state = this.addState(state, (one) => one === character);
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
    const loop = this.addState(state);
    if (!isFolders) {
      this.free[this.addState(loop, isInName)]?.push(loop);
      return this.addState(loop);
    }
    if (after !== "/") {
      this.free[this.addState(loop, () => true)]?.push(loop);
      return this.addState(loop);
    }
    // Any number of names with `/`.
    this.at++;
    const inName = this.addState(this.addState(loop, isInName));
    const nextCharacter = this.addState(inName);
    this.free[this.addState(nextCharacter, isInName)]?.push(inName);
    this.free[this.addState(this.addState(inName), (one) => one === "/")]?.push(loop);
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
    return this.addState(state, (one) => isInName(one) && isMember(one) !== isNegated);
  }
}

function isInName(character: string): boolean {
  return character !== "/";
}
