import { lazily } from "../../base/lazily";
import type { CommandHandlers } from "../platform/contributions";
import type { ServiceCommandOptions, ServiceCommands } from "./serviceCommands";

export function registerSettings(options: Omit<ServiceCommandOptions, "nextService">) {
  const { services, activeChat } = options;
  const nextService = () => services.next(activeChat.shownConversation?.conversation);
  const service = lazily(async () => {
    const { ServiceCommands } = await import("./serviceCommands");
    return new ServiceCommands({ ...options, nextService });
  });
  return {
    connect: async (address: string) => (await service()).connect(address),
    runAction: async (...asked: Parameters<ServiceCommands["runAction"]>) =>
      (await service()).runAction(...asked),
    // The arguments that VS Code passes are dropped.
    commands: {
      setApiKey: async () => (await service()).setApiKey(),
      removeApiKey: async () => (await service()).removeApiKey(),
      switchProfile: async () => (await service()).switchProfile(),
      openSettings: async () => (await service()).runAction("open-settings"),
    } satisfies Partial<CommandHandlers>,
  };
}
