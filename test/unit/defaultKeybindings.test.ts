/**
 * Compares our keybindings with the defaults of VS Code on each platform: none of ours overrides a
 * default key, neither the whole key nor the first key of a chord.
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

/**
 * Conditions that exclude each other, because there is one focus. A view is identified by its name.
 */
const FOCUSES = /^(?:editorTextFocus|terminalFocus|inQuickInput|listFocus|focusedView == .*)$/;

/** Combination of values for which a condition is true. */
type Case = ReadonlyMap<string, boolean>;

/**
 * Returns all combinations for which a `when` clause is true. Like the defaults of VS Code, the
 * clause must be an "or" of "and"s.
 */
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

/** Returns true if both combinations can apply at the same time. */
function isPossible(first: Case, other: Case): boolean {
  for (const [key, value] of first) if (other.has(key) && other.get(key) !== value) return false;
  const both = new Map([...first, ...other]);
  const focuses = [...both].filter(([key, value]) => value && FOCUSES.test(key));
  return focuses.length <= 1;
}

/** Returns true if the keys are equal, or if a key is the first key of the other chord. */
function collides(first: string, other: string): boolean {
  return first === other || first.startsWith(`${other} `) || other.startsWith(`${first} `);
}

/** Returns true if the key works only while an own context key is set. */
function requiresOwnContext(when: string | undefined): boolean {
  return casesOf(when).every((condition) =>
    [...condition].some(
      ([key, value]) => value && /^(?:commentController == )?coreChat\./.test(key),
    ),
  );
}

describe("our keybindings", () => {
  for (const platform of ["mac", "windows", "linux"]) {
    it(`do not override a default key of VS Code: ${platform}`, () => {
      const path = `test/fixtures/default-keybindings/${platform}.json`;
      const defaults = JSON.parse(readFileSync(path, "utf8")) as readonly Keybinding[];
      const shadowed = manifest.contributes.keybindings.flatMap(({ key, mac, command, when }) => {
        if (requiresOwnContext(when)) return [];
        const ownKey = platform === "mac" ? (mac ?? key) : key;
        return defaults
          .filter((binding) => collides(ownKey, binding.key))
          .filter((binding) =>
            casesOf(when).some((a) => casesOf(binding.when).some((b) => isPossible(a, b))),
          )
          .map((binding) => `${command} (${ownKey}) shadows ${binding.command} (${binding.key})`);
      });
      assert.deepEqual(shadowed, []);
    });
  }
});
