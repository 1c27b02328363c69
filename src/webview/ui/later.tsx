import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";

/**
 * Returns a component whose code is loaded after the first frame that has it; until then it shows
 * nothing.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const { draft } = usePanel();
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          setComponent(() => component);
        },
        () =>
          draft.showWarning(
            t("Some parts of the panel could not be loaded. Close and reopen the panel."),
          ),
      );
    }, [draft]);
    return Component === undefined ? null : <Component {...props} />;
  };
}
