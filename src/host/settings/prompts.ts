/** Reusable prompts: those of Core Chat and the user's own. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PromptView } from "../../protocol/views";

const { t } = vscode.l10n;

export type BuiltInPrompt = "explain" | "fix" | "tests" | "document";

/** A name is typed after "/" without blanks. */
const nameSchema = z.string().check(z.regex(/^[\p{L}\p{N}_-]{1,40}$/u));
/** Longest text of a prompt, in UTF-16 units. */
export const MAX_PROMPT_LENGTH = 20_000;

const textSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PROMPT_LENGTH));

/** Returns the text of the built-in prompts in the display language. */
export function builtInPrompts(): Readonly<Record<BuiltInPrompt, string>> {
  return {
    explain: t("Explain this code: what it does, how it works, and what to watch out for."),
    fix: t(
      "Find and fix what is wrong in this code. Show the corrected code and explain what was wrong.",
    ),
    tests: t("Write tests for this code in the test framework that its project uses."),
    document: t("Write documentation comments for this code in the style of its language."),
  };
}

/**
 * Returns all prompts, the user's first; a user's prompt replaces a built-in prompt of the same
 * name.
 */
export function promptsWith(own: Readonly<Record<string, unknown>>): {
  readonly prompts: readonly PromptView[];
  readonly badNames: readonly string[];
} {
  const badNames: string[] = [];
  const prompts = new Map<string, PromptView>();
  for (const [name, value] of Object.entries(own)) {
    const text = textSchema.safeParse(value);
    if (text.success && nameSchema.safeParse(name).success) {
      prompts.set(name, { name, text: text.data });
    } else badNames.push(name);
  }
  for (const [name, text] of Object.entries(builtInPrompts())) {
    if (!prompts.has(name)) prompts.set(name, { name, text, isAboutCode: true });
  }
  return { prompts: [...prompts.values()], badNames };
}
