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

/** Folds case and composed characters, as file systems do: both forms of a sigma are one letter. */
function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/**
 * Pieces of a glob: `**` as a whole name, with the `/` after it; other stars; a class, in which `]` may be
 * the first character; any other character. Reads at most 500 UTF-16 units.
 */
const PIECE = /(?<=^|[/{,])(\*{2,}(?:\/|(?=[},]|$)))|(\*+)|\[(?:[!^][^]|[^!^])[^\]]{0,500}\]|[^]/gu;

/** A character of a class, or the first and the last of a range such as `a-z`. */
const RANGE = /([^])(?:-([^]))?/gu;

/** Upper limit of the states in all cached sets, with the steps between sets. */
const MAX_SETS_SIZE = 500_000;

type Accepts = (character: string) => boolean;

/** State of an automaton, reached after the beginning of one or several globs. */
interface State {
  readonly id: number;
  readonly steps: { readonly accepts: Accepts; readonly target: State }[];
  readonly free: State[];
  /** States after a piece, so that globs that begin alike share states. */
  readonly pieces: Map<string, State>;
  /** Numbers of the globs that end here. */
  readonly ends: number[];
}

/** States that an automaton can be in, with the sets that follow after a character. */
interface StateSet {
  readonly states: readonly State[];
  /** Numbers of the globs that end here, in ascending order. */
  readonly ended: readonly number[];
  readonly next: Map<string, StateSet>;
}

/** Globs that are compared with a path at once, as one automaton. */
export class GlobList {
  private stateCount = 0;
  private readonly start = this.newState();
  private globCount = 0;
  private readonly sets = new Map<string, StateSet>();
  private setsSize = 0;

  /** Adds a glob; returns false, without an effect, for a glob that is not valid. */
  add(glob: string): boolean {
    if (glob.length > MAX_LENGTH) return false;
    this.forgetSets();
    const path = glob.startsWith("/") ? glob.slice(1) : `**/${glob}`;
    const pieces = [...foldName(path).matchAll(PIECE)].map(([piece, folders, stars]) => {
      if (folders !== undefined) return folders.endsWith("/") ? "**/" : "**";
      return stars === undefined ? piece : "*";
    });
    const end = this.addPieces(pieces, this.start, false);
    end?.ends.push(this.globCount++);
    return end !== undefined;
  }

  /**
   * Returns the matching globs of each folder of a path, outermost first, then of the path itself: their
   * numbers in the order in which they were added, from 0.
   */
  matchesOf(path: string): (readonly number[])[] {
    const matches: (readonly number[])[] = [];
    let current = this.reach([this.start]);
    for (const character of foldName(path)) {
      if (character === "/") matches.push(current.ended);
      let next = current.next.get(character);
      if (next === undefined) {
        const steps = current.states.flatMap((state) => state.steps);
        const accepting = steps.filter(({ accepts }) => accepts(character));
        next = this.reach(accepting.map(({ target }) => target));
        current.next.set(character, next);
        this.setsSize++;
      }
      current = next;
    }
    return [...matches, current.ended];
  }

  private reach(from: readonly State[]): StateSet {
    const reached = new Set(from);
    for (const state of reached) for (const target of state.free) reached.add(target);
    const states = [...reached].sort((one, other) => one.id - other.id);
    const key = states.map(({ id }) => id).join();
    const cached = this.sets.get(key);
    if (cached !== undefined) return cached;
    if (this.setsSize > MAX_SETS_SIZE) this.forgetSets();
    const ended = states.flatMap(({ ends }) => ends).sort((one, other) => one - other);
    const set = { states, ended, next: new Map<string, StateSet>() };
    this.sets.set(key, set);
    this.setsSize += states.length;
    return set;
  }

  /** Removes all cached sets; also the links between them, which would hold them in memory. */
  private forgetSets(): void {
    for (const { next } of this.sets.values()) next.clear();
    this.sets.clear();
    this.setsSize = 0;
  }

  private newState(): State {
    return { id: this.stateCount++, steps: [], free: [], pieces: new Map(), ends: [] };
  }

  /**
   * Adds the pieces up to the end, or in braces up to `,` or `}`, and removes them from the list. Returns
   * the last state; undefined for a glob that is not valid.
   */
  private addPieces(pieces: string[], start: State, isInBraces: boolean): State | undefined {
    let state = start;
    for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
      if (isInBraces && (piece === "," || piece === "}")) return state;
      pieces.shift();
      if (piece === "[") return undefined;
      if (piece === "{") {
        const joined = this.newState();
        do {
          const end = this.addPieces(pieces, state, true);
          if (end === undefined) return undefined;
          end.free.push(joined);
        } while (pieces.shift() === ",");
        state = joined;
      } else {
        const next = state.pieces.get(piece) ?? this.addPiece(piece, state);
        state.pieces.set(piece, next);
        state = next;
      }
    }
    return isInBraces ? undefined : state;
  }

  /** Adds the states of a piece; returns the last. */
  private addPiece(piece: string, state: State): State {
    const end = this.newState();
    if (!piece.startsWith("*")) {
      state.steps.push({ accepts: accepts(piece), target: end });
      return end;
    }
    const loop = this.newState();
    state.free.push(loop);
    loop.free.push(end);
    if (piece === "**/") {
      // Any number of names with `/`.
      const name = this.newState();
      loop.steps.push({ accepts: isInName, target: name });
      name.steps.push({ accepts: isInName, target: name });
      name.steps.push({ accepts: (character) => character === "/", target: loop });
    } else loop.steps.push({ accepts: piece === "*" ? isInName : () => true, target: loop });
    return end;
  }
}

/** Returns the test of a character for a piece without stars. */
function accepts(piece: string): Accepts {
  if (piece === "?") return isInName;
  if (piece.length < 3 || !piece.startsWith("[")) return (character) => character === piece;
  const isNegated = /^\[[!^]/.test(piece);
  const ranges = [...piece.slice(isNegated ? 2 : 1, -1).matchAll(RANGE)];
  const isMember = (character: string) =>
    ranges.some(([, first = "", last = first]) => first <= character && character <= last);
  return (character) => isInName(character) && isMember(character) !== isNegated;
}

function isInName(character: string): boolean {
  return character !== "/";
}
