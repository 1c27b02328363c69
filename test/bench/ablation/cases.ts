/** Collects the tests of reading replies, to be run with a forced condition. Imported before the tests. */

/** A test that passed with all rules. */
export interface Case {
  readonly id: string;
  readonly run: () => unknown;
}

export const cases: Case[] = [];

const names: string[] = [];

Object.assign(globalThis, {
  describe: (name: string, fill: () => void) => {
    names.push(name);
    fill();
    names.pop();
  },
  it: (name: string, run: () => unknown) => {
    cases.push({ id: [...names, name].join(": "), run });
    return { timeout: () => undefined };
  },
});
