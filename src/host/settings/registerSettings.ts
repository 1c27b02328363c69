/** Registers the commands about services, the status bar item and the actions of notices. */
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { CommandHandlers } from "../platform/contributions";
import type { ServiceCommandOptions, ServiceCommands } from "./serviceCommands";
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
  const nextService = () => services.next(activeChat().shownConversation?.conversation);
  const statusItem = owned.add(new StatusItem(nextService));
  const load = lazily(async () => {
    const { ServiceCommands } = await import("./serviceCommands");
    return new ServiceCommands({ ...options, nextService });
  });
  return {
    statusItem,
    runAction: async (action, profile) => (await load()).runAction(action, profile),
    // The arguments that VS Code passes are dropped.
    commands: {
      setApiKey: async () => (await load()).setApiKey(),
      removeApiKey: async () => (await load()).removeApiKey(),
      setBaseUrl: async () => (await load()).setBaseUrl(),
      setSecretHeader: async () => (await load()).setSecretHeader(),
      removeSecretHeader: async () => (await load()).removeSecretHeader(),
      switchProfile: async () => (await load()).switchProfile(),
    },
    dispose: () => owned.dispose(),
  };
}
