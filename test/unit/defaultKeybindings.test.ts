/**
 * Our keybindings compared with VS Code's own, on each platform: none of ours takes a key away from a
 * default one, as the whole key or as the first key of a chord.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

interface OurKeybinding extends Keybinding {
  readonly mac?: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  contributes: { keybindings: readonly OurKeybinding[] };
};

/** Conditions of which at most one holds: there is one focus. A view is known by its name. */
const FOCUSES = /^(?:editorTextFocus|terminalFocus|inQuickInput|listFocus|focusedView == .*)$/;

/** One way in which a condition can hold: each key with its value, or with its text after "==". */
type Case = ReadonlyMap<string, boolean>;

/** All cases in which a `when` clause holds, as an "or" of "and"s; VS Code writes its own so. */
function casesOf(when: string | undefined): Case[] {
  if (when === undefined) return [new Map()];
  assert.doesNotMatch(when, /[()]/, `a condition in parentheses is not understood: ${when}`);
  return when.split(" || ").map((all) => {
    const parts = all.split(" && ").map((part): [string, boolean] => {
      if (part.startsWith("!")) return [part.slice(1), false];
      return part.includes(" != ") ? [part.replace(" != ", " == "), false] : [part, true];
    });
    return new Map(parts);
  });
}

/** True if both can hold at once. */
function isPossible(one: Case, other: Case): boolean {
  for (const [key, value] of one) if (other.has(key) && other.get(key) !== value) return false;
  const both = new Map([...one, ...other]);
  const focuses = [...both].filter(([key, value]) => value && FOCUSES.test(key));
  return focuses.length <= 1;
}

/** True if the keys of one are, or begin, those of the other. */
function collides(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

/** A key that only works while something of ours is there to be acted on. */
function isOnlyOurs(when: string | undefined): boolean {
  return casesOf(when).every((one) =>
    [...one].some(([key, value]) => value && /^(?:commentController == )?coreChat\./.test(key)),
  );
}

describe("our keybindings", () => {
  for (const platform of ["mac", "windows", "linux"]) {
    it(`do not override a default key of VS Code: ${platform}`, () => {
      const path = `test/fixtures/default-keybindings/${platform}.json`;
      const defaults = JSON.parse(readFileSync(path, "utf8")) as readonly Keybinding[];
      const shadowed = manifest.contributes.keybindings.flatMap(({ key, mac, command, when }) => {
        if (isOnlyOurs(when)) return [];
        const ours = platform === "mac" ? (mac ?? key) : key;
        return defaults
          .filter((one) => collides(ours, one.key))
          .filter((one) =>
            casesOf(when).some((a) => casesOf(one.when).some((b) => isPossible(a, b))),
          )
          .map((one) => `${command} (${ours}) shadows ${one.command} (${one.key})`);
      });
      assert.deepEqual(shadowed, []);
    });
  }
});
