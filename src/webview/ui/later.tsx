import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";

interface LaterProps {
  /** Closes what the user opened. */
  readonly onClose?: () => void;
  /** Field of the component that has the focus at first. */
  readonly field?: EarlyFieldProps;
}

interface EarlyFieldProps {
  readonly label: string;
  readonly onText: (text: string) => void;
}

/**
 * Returns a component whose code is loaded after the first frame that has it. Until then it shows
 * nothing, and Escape closes what the user opened.
 * @param takesKeys loads the code once the browser is idle, so that the first key reaches it
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  takesKeys = false,
): ComponentType<Props & LaterProps> {
  // An `import()` of loaded code can take until the next frame.
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  if (takesKeys) requestIdleCallback(() => void loadOnce().catch(() => undefined));
  return function Later(props: Props & LaterProps) {
    const { draft } = usePanel();
    const { field, onClose } = props;
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (Component !== undefined) return;
      loadOnce().then(
        (component) => setComponent(() => component),
        () => {
          draft.showWarning(
            t("Some parts of the panel could not be loaded. Close and reopen the panel."),
          );
          onClose?.();
        },
      );
      // Once: the code is the same for as long as the component is shown.
    }, []);
    useLayoutEffect(() => {
      if (Component !== undefined || onClose === undefined) return undefined;
      const onKeyDown = (event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault(); // Otherwise the key stops a running reply.
        onClose();
      };
      document.addEventListener("keydown", onKeyDown, true);
      return () => document.removeEventListener("keydown", onKeyDown, true);
    }, [Component, onClose]);
    if (Component !== undefined) return <Component {...props} />;
    return field === undefined ? null : <EarlyField {...field} />;
  };
}

/** Receives what is typed before the component is loaded. */
function EarlyField({ label, onText }: EarlyFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <input
      autocomplete="off"
      ref={ref}
      class="visually-hidden"
      aria-label={label}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}
