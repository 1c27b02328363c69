import { Disposables } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { CommandHandlers } from "../platform/contributions";
import type { ServiceCommandOptions, ServiceCommands } from "./serviceCommands";
import { StatusItem } from "./statusItem";

export function registerSettings(options: Omit<ServiceCommandOptions, "nextService">) {
  const { services, activeChat } = options;
  const owned = new Disposables();
  const nextService = () => services.next(activeChat.shownConversation?.conversation);
  const statusItem = owned.add(new StatusItem(nextService));
  const service = lazily(async () => {
    const { ServiceCommands } = await import("./serviceCommands");
    return new ServiceCommands({ ...options, nextService });
  });
  return {
    statusItem,
    runAction: async (...asked: Parameters<ServiceCommands["runAction"]>) =>
      (await service()).runAction(...asked),
    // The arguments that VS Code passes are dropped.
    commands: {
      setApiKey: async () => (await service()).setApiKey(),
      removeApiKey: async () => (await service()).removeApiKey(),
      switchProfile: async () => (await service()).switchProfile(),
      openSettings: async () => (await service()).runAction("open-settings"),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}
