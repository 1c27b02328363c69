import { allowedParameters } from "../../protocol/parameters";
import type { NoticeView, PanelView, PromptView } from "../../protocol/views";
import type { LiveConversation } from "../conversation/liveConversation";
import type { Messages } from "./messages";
import { isAttached, rulesFor, shownDefinitions } from "./questionContext";
import { automaticView, definitionsView, rulesView } from "./toView";
import type { ViewState } from "./viewState";

/**
 * Returns the view of the panel.
 * @param notices shown above the composer after those of the status
 */
export function panelView(
  live: LiveConversation | undefined,
  state: ViewState,
  texts: Messages,
  notices: readonly NoticeView[],
): PanelView {
  const { context } = state;
  const { model, parameters = {}, profile } = live?.conversation ?? {};
  const status = state.panelStatus(profile);
  const excerpt = context.automatic();
  const isShown = excerpt !== undefined && !isAttached(excerpt, live?.draft);
  const rules = live && rulesFor(context, live.draft);
  const definitions = shownDefinitions(context, live?.draft);
  const promptFiles = context.promptFiles();
  const { systemPrompt } = state.meterSettings(undefined, "llm");
  return {
    ...status,
    systemPrompt: systemPrompt.trim() === "" ? undefined : systemPrompt,
    model: model ?? status.model,
    prompts: promptFiles && withFiles(status.prompts ?? [], promptFiles),
    isListingPrompts: promptFiles === undefined || undefined,
    parameters: allowedParameters(parameters),
    notices: [...status.notices, ...notices],
    automatic: isShown ? automaticView(excerpt, texts) : undefined,
    openFile: excerpt === undefined ? context.openFile() : undefined,
    rules: rules && rulesView(rules),
    definitions: definitions && definitionsView(definitions, texts),
    isRunning: live?.runningReplyId !== undefined,
    unsaved: live?.isUnsaved ? texts.unsavedNotice() : undefined,
  };
}

/** Returns the prompts of the settings, then those of files with other names. */
function withFiles(prompts: readonly PromptView[], files: readonly PromptView[]): PromptView[] {
  const names = new Set(prompts.map(({ name }) => name));
  return [...prompts, ...files.filter(({ name }) => !names.has(name))];
}
