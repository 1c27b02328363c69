import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";

interface LateProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
}

/** Loads a component when it is first shown; later loads come from the browser's memory. */
export function Late<Props extends { readonly onClose: () => void }>(
  props: LateProps<Props> & Props,
) {
  const { draft } = usePanel();
  const { load, onClose } = props;
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => {
        draft.showWarning(t("This could not be opened. Reopen the panel, then try again."));
        onClose();
      },
    );
    // Once: `load` is the same for as long as the component is shown.
  }, []);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
