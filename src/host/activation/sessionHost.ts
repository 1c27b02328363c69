import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { parseUrl } from "../../base/parseUrl";
import type { Conversations } from "../../chat/conversation/conversations";
import type { SessionHost } from "../../chat/sessionHost";
import type { NoticeAction } from "../../protocol/views";
import type { PanelContext } from "../context/panelContext";
import { pictureHost } from "../pictures/pictureHost";
import type { ActiveChat } from "../panel/activeChat";
import { askToSave } from "../panel/askToSave";
import type { ChatEditors } from "../panel/chatEditors";
import type { PanelState } from "../panel/panelState";
import type { registerReplyActions } from "../replyActions/registerReplyActions";
import type { Services } from "../settings/services";
import { readSettings } from "../settings/settings";
import { confirmAsideRemoval, deletePermanently, emptyBin } from "../storage/deleteForever";
import type { Themes } from "../theme/themes";

const OPENED_SCHEMES = new Set(["https:", "http:", "mailto:"]);

/** Actions that ask for input outside the panel. */
const INPUT_ACTIONS: ReadonlySet<NoticeAction> = new Set([
  "set-api-key",
  "set-base-url",
  "set-secret-header",
  "switch-profile",
]);

interface SessionHostOptions {
  readonly services: Services;
  readonly conversations: Conversations;
  readonly panelState: PanelState;
  readonly panelContext: PanelContext;
  readonly forReplies: ReturnType<typeof registerReplyActions>["forReplies"];
  readonly themes: Themes;
  readonly runAction: SessionHost["runAction"];
  readonly activeChat: ActiveChat;
  readonly editors: ChatEditors;
  readonly connect: SessionHost["connect"];
  readonly exportConversations: SessionHost["exportConversations"];
  readonly log: Log;
}

export function createSessionHost(options: SessionHostOptions): SessionHost {
  const { services, panelState, themes, log } = options;
  return {
    context: options.panelContext,
    pictures: {
      ...pictureHost,
      openEditor: (conversationId, attachmentId, name) =>
        options.editors.open(conversationId, { attachmentId, name }),
    },
    pointing: {
      coordinates: (profile) =>
        services.coordinates(services.target(profile), readSettings().settings),
      saveCoordinates: (profile, scale) =>
        void services.saveCoordinates(services.target(profile), [scale]),
      hasWorkspace: () => vscode.workspace.workspaceFolders !== undefined,
    },
    ...options.forReplies,
    panelStatus: (profile) => panelState.status(profile),
    settledNotice: (reply, profile) => panelState.settledNotice(reply, profile),
    onPanelStatusChanged: panelState.onChanged,
    composerFocusMoved: (isInside) => options.activeChat.composerFocusMoved(isInside),
    dismissNotice: (text) => panelState.dismissNotice(text),
    tokenTheme: (themeId) => themes.theme(themeId),
    onTokenThemeChanged: themes.onChanged,
    openLink: (url) => openLink(url, log),
    askToSave,
    deletePermanently: (id, title) => deletePermanently(options.conversations, log, id, title),
    confirmAsideRemoval,
    connect: options.connect,
    exportConversations: (ids) => options.exportConversations(ids),
    emptyBin: () => emptyBin(options.conversations, log),
    viewFailed: (where) => log.error(`view: failed in ${JSON.stringify(where)}`),
    meterSettings: (profile, modelKind) => {
      const { settings } = readSettings();
      const service = services.target(profile);
      return {
        systemPrompt: settings.systemPrompt,
        budgetTokens: services.budgetOf(service, service.modelCodes[modelKind], settings),
        maxPictureTokens: settings["images.maxTokens"],
        describesPictures: settings["images.describe"],
      };
    },
    chooseModel: (model, profile) => {
      services.useProfile(profile);
      services.model.choose(model).catch((error: unknown) => {
        log.error(`settings: the model could not be saved (${describeError(error)})`);
        void vscode.window.showWarningMessage(
          vscode.l10n.t(
            "The model could not be saved to the settings, so it applies to this window only. Check that settings.json can be written.",
          ),
        );
      });
      panelState.refresh();
    },
    runAction: async (action, profile) => {
      await options.runAction(action, profile);
      // VS Code focuses the editor after an input box that a webview opened.
      if (INPUT_ACTIONS.has(action)) await options.activeChat.show();
    },
  };
}

/**
 * Opens a link of a reply outside VS Code, after VS Code's own question. Ignores other schemes than
 * https, http and mailto, and logs them.
 */
function openLink(url: string, log: Log): void {
  const scheme = parseUrl(url)?.protocol ?? "none";
  if (OPENED_SCHEMES.has(scheme)) void vscode.env.openExternal(vscode.Uri.parse(url, true));
  else log.warn(`view: a link with scheme ${JSON.stringify(scheme)} was not opened`);
}
