import * as z from "zod/mini";

/** Place of a quote in its message, in UTF-16 units of the shown text. */
export const quotedSchema = z.object({
  messageId: z.string().check(z.minLength(1), z.maxLength(64)),
  start: z.int().check(z.minimum(0)),
  end: z.int().check(z.minimum(0)),
  /** True for the thinking of a reply. */
  isThinking: z.boolean(),
});
export type Quoted = z.infer<typeof quotedSchema>;
