/** The next request, before its question is sent: what the meter estimates and a summary shortens. */
import { chooseModel } from "../../ask/ask";
import type { Message, UserMessage } from "../../conversation/message";
import { withoutUnsentPictures, type Sending } from "../../conversation/sending";
import type { LiveConversation } from "../conversation/liveConversation";
import { contextParts } from "./questionContext";
import type { MeterSettings, ViewState } from "./viewState";

export interface MeterChoice extends MeterSettings {
  readonly takesPictures: boolean;
  /** The user's choices of what is sent. */
  readonly sending?: Sending | undefined;
}

export interface NextRequest {
  readonly before: readonly Message[];
  readonly question: UserMessage;
  readonly choice: MeterChoice;
}

/** @param text of the composer */
export function nextRequest(live: LiveConversation, text: string, state: ViewState): NextRequest {
  const { conversation, draft } = live;
  const path = live.path();
  const editedAt = path.findIndex(({ id }) => id === draft.editedId);
  const contexts = contextParts(state.context, draft);
  const rules = state.context.rules(contexts);
  const parts = [
    ...(rules?.isOn === true ? [rules.part] : []),
    { kind: "text" as const, text },
    ...contexts,
  ];
  const { profile, model = state.panelStatus(profile).model, parameters, sending } = conversation;
  const question: UserMessage = { role: "user", id: "draft", parentId: null, parts, sentAtMs: 0 };
  const modelKind = chooseModel(model, withoutUnsentPictures([...path, question], sending));
  const settings = state.meterSettings(profile, modelKind);
  const { systemPrompt = settings.systemPrompt } = parameters ?? {};
  return {
    before: editedAt === -1 ? path : path.slice(0, editedAt),
    question,
    choice: { ...settings, systemPrompt, takesPictures: model !== "llm", sending },
  };
}
