/** Port for the state around the conversation of a view. */
import type { Event } from "../../base/event";
import type { ModelKind, Reply } from "../../conversation/message";
import type { NoticeView, PanelView } from "../../protocol/views";
import type { EditorContext } from "./editorContext";

export interface MeterSettings {
  readonly systemPrompt: string;
  readonly budgetTokens: number;
  readonly maxPictureTokens?: number;
  readonly describesPictures?: boolean;
}

/**
 * State of the panel without the conversation; `model` applies to conversations without their own
 * choice.
 */
export type PanelStatus = Omit<
  PanelView,
  "isRunning" | "parameters" | "automatic" | "definitions" | "rules" | "systemPrompt"
>;

export interface ViewState {
  /** @param profile profile of the shown conversation */
  panelStatus(profile: string | undefined): PanelStatus;
  meterSettings(profile: string | undefined, modelKind: ModelKind): MeterSettings;
  /**
   * Returns the notice of a failed reply whose cause was fixed since; undefined for other replies.
   */
  settledNotice(reply: Reply, profile: string | undefined): NoticeView | undefined;
  readonly onPanelStatusChanged: Event<void>;
  readonly context: EditorContext;
}
