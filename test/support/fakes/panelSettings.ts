/** Settings that the panel shows, with the defaults of package.json. */
import { contributes } from "../../../package.json";
import { panelSettingsSchema } from "../../../src/protocol/views";

export const PANEL_SETTINGS = panelSettingsSchema.parse(
  Object.fromEntries(
    contributes.configuration
      .flatMap(({ properties }) => Object.entries<{ default?: unknown }>(properties))
      .map(([name, setting]) => [name.replace("coreChat.", ""), setting.default]),
  ),
);
