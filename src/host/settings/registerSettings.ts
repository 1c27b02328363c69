/** Registers the commands about services, the status bar item and the actions of notices. */
import { Disposables, type Disposable } from "../../base/disposables";
import type { CommandHandlers } from "../platform/contributions";
import { ServiceCommands, type ServiceCommandOptions } from "./serviceCommands";
import { StatusItem } from "./statusItem";

interface SettingsFeature extends Disposable {
  readonly statusItem: StatusItem;
  readonly runAction: ServiceCommands["runAction"];
  readonly commands: CommandHandlers<
    | "setApiKey"
    | "removeApiKey"
    | "setBaseUrl"
    | "setSecretHeader"
    | "removeSecretHeader"
    | "switchProfile"
  >;
}

export function registerSettings(
  options: Omit<ServiceCommandOptions, "nextService">,
): SettingsFeature {
  const { services, activeChat } = options;
  const owned = new Disposables();
  const nextService = () => services.next(activeChat.shownConversation?.conversation);
  const statusItem = owned.add(new StatusItem(nextService));
  const service = new ServiceCommands({ ...options, nextService });
  return {
    statusItem,
    runAction: (action, profile) => service.runAction(action, profile),
    // The arguments that VS Code passes are dropped.
    commands: {
      setApiKey: () => service.setApiKey(),
      removeApiKey: () => service.removeApiKey(),
      setBaseUrl: () => service.setBaseUrl(),
      setSecretHeader: () => service.setSecretHeader(),
      removeSecretHeader: () => service.removeSecretHeader(),
      switchProfile: () => service.switchProfile(),
    },
    dispose: () => owned.dispose(),
  };
}
