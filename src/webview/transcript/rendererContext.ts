import type { ReadonlySignal } from "@preact/signals";
import { createRequiredContext } from "../state/requiredContext";
import type { CreateMarkdownStream, RendererParts } from "./replyRenderer";

interface RendererServices extends RendererParts {
  /** Undefined until the chunk of the Markdown renderer is loaded. */
  readonly markdown: ReadonlySignal<CreateMarkdownStream | undefined>;
}

export const [RendererProvider, useRenderer] =
  createRequiredContext<RendererServices>("RendererServices");
