import * as z from "zod/mini";

/** Argument that VS Code passes from the menu of a row of the history. */
const clickedSchema = z.object({ conversationId: z.string().check(z.maxLength(64)) });

/** Returns the id of the conversation whose menu was used. */
export function clickedConversation(clicked: unknown): string | undefined {
  return clickedSchema.safeParse(clicked).data?.conversationId;
}
