/** Registers the commands about services, the status bar item and the actions of notices. */
import { Disposables } from "../../base/disposables";
import type { CommandHandlers } from "../platform/contributions";
import { ServiceCommands, type ServiceCommandOptions } from "./serviceCommands";
import { StatusItem } from "./statusItem";

export function registerSettings(options: Omit<ServiceCommandOptions, "nextService">) {
  const { services, activeChat } = options;
  const owned = new Disposables();
  const nextService = () => services.next(activeChat.shownConversation?.conversation);
  const statusItem = owned.add(new StatusItem(nextService));
  const service = new ServiceCommands({ ...options, nextService });
  return {
    statusItem,
    runAction: (...asked: Parameters<ServiceCommands["runAction"]>) => service.runAction(...asked),
    // The arguments that VS Code passes are dropped.
    commands: {
      setApiKey: () => service.setApiKey(),
      removeApiKey: () => service.removeApiKey(),
      setBaseUrl: () => service.setBaseUrl(),
      setSecretHeader: () => service.setSecretHeader(),
      removeSecretHeader: () => service.removeSecretHeader(),
      switchProfile: () => service.switchProfile(),
    } satisfies Partial<CommandHandlers>,
    dispose: () => owned.dispose(),
  };
}
