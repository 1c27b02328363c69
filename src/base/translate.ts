/**
 * Translation function, as a parameter: VS Code's `l10n.t` or a test's. Fills `{0}`, `{1}` … of the
 * translated `message`. Name the parameter `t`, so that the l10n tools find its strings.
 */
export type Translate = (message: string, ...args: (string | number)[]) => string;
