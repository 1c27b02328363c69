import type { ReadonlySignal } from "@preact/signals";
import { createRequiredContext } from "../state/requiredContext";
import type { CreateMarkdownStream, RendererParts, ReplyRenderer } from "./replyRenderer";

interface RendererServices extends RendererParts {
  /** Renderers of the replies that have elements, by message. */
  readonly renderers: Map<string, ReplyRenderer>;
  /** Undefined until the chunk of the Markdown renderer is loaded. */
  readonly markdown: ReadonlySignal<CreateMarkdownStream | undefined>;
}

export const [RendererProvider, useRenderer] =
  createRequiredContext<RendererServices>("RendererServices");
