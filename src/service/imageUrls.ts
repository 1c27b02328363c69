/** Reads the image URLs back from the JSON of a request: a receipt counts what was really sent. */
import * as z from "zod/mini";

const bodySchema = z.object({ messages: z.array(z.object({ content: z.unknown() })) });
const imageSchema = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string() }),
});

/** Returns the URLs of all `image_url` parts, in order. */
export function imageUrlsIn(json: string): string[] {
  const { messages } = bodySchema.parse(JSON.parse(json));
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap((part) => {
      const read = z.safeParse(imageSchema, part);
      return read.success ? [read.data.image_url.url] : [];
    }),
  );
}
