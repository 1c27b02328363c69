import { createRequiredContext } from "../state/requiredContext";
import type { CompletionController } from "./completion";

export const [CompletionProvider, useCompletion] =
  createRequiredContext<CompletionController>("CompletionController");
