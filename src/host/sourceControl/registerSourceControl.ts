/** Registers the commands of the commit message; commitMessage.ts is lazy-loaded. */
import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import type { ServiceClient } from "../../service/client";
import type { WorkspaceRules } from "../context/workspaceRules";
import type { CommandHandlers } from "../platform/contributions";
import { askServiceWith, withoutEditorPrompt } from "../settings/askService";
import type { Services } from "../settings/services";

export interface SourceControlOptions {
  readonly client: ServiceClient;
  readonly services: Services;
  readonly rules: WorkspaceRules;
  readonly runAction: (action: NoticeAction, profile: string) => Promise<void>;
  readonly log: Log;
}

export function registerSourceControl({
  client,
  services,
  rules,
  runAction,
  log,
}: SourceControlOptions) {
  const owned = new Disposables();
  const load = lazily(async () => {
    const { CommitMessages } = await import("./commitMessage");
    const { prepareTurn } = services;
    return owned.add(
      new CommitMessages({
        ask: askServiceWith({ client, prepareTurn }, withoutEditorPrompt),
        rulesFor: rules.forFiles,
        runAction: (action) => void runAction(action, services.activeProfile()),
        log,
      }),
    );
  });
  return {
    commands: {
      generateCommitMessage: async (argument) => (await load()).generate(argument),
      stopCommitMessage: async () => (await load()).stop(),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}
