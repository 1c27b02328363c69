import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import { chooseSending } from "../../chat/sendingActions";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { SendChoice } from "../../conversation/sending";

const clickedSchema = z.object({ messageId: z.string().check(z.maxLength(64)) });

/** Leaves the clicked message out, always sends it, or sends it as usual again. */
export async function chooseClicked(
  live: LiveConversation | undefined,
  clicked: unknown,
  choice: SendChoice | null,
): Promise<void> {
  const parsed = clickedSchema.safeParse(clicked);
  if (live === undefined || !parsed.success) return;
  await chooseSending(live, systemClock, parsed.data.messageId, choice);
}
