/**
 * A sentence in the person's language, as a parameter: VS Code's `l10n.t` fits, and so does a
 * function of a test.
 */

/** Fills `{0}`, `{1}` … of the translated `message`. Call it `t`, so that its texts are found. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
