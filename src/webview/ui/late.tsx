import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";

type Load<Props> = () => Promise<ComponentType<Props>>;

interface LateProps<Props> {
  readonly load: Load<Props>;
  /** Field of the component that has the focus at first. */
  readonly field?: EarlyFieldProps;
}

interface EarlyFieldProps {
  readonly label: string;
  readonly onText: (text: string) => void;
}

/** Loaded components: an `import()` of loaded code can take until the next frame. */
const loadedBy = new WeakMap<object, unknown>();

/** Loads a component, so that the next `Late` has the component in its first frame. */
async function preload<Props>(load: Load<Props>): Promise<ComponentType<Props>> {
  const component = await load();
  loadedBy.set(load, component);
  return component;
}

/** Loads a component that takes keys once the browser is idle, so that its first key reaches it. */
export function usePreload<Props>(load: Load<Props>): void {
  useEffect(() => {
    const idle = requestIdleCallback(() => void preload(load).catch(() => undefined));
    return () => cancelIdleCallback(idle);
  }, []);
}

/** Loads a component when it is first shown. Until it is loaded, Escape closes it. */
export function Late<Props extends { readonly onClose: () => void }>(
  props: LateProps<Props> & Props,
) {
  const { draft } = usePanel();
  const { load, field, onClose } = props;
  const [Loaded, setLoaded] = useState(
    () => loadedBy.get(load) as ComponentType<Props> | undefined,
  );
  useLayoutEffect(() => {
    if (Loaded !== undefined) return;
    preload(load).then(
      (component) => setLoaded(() => component),
      () => {
        draft.showWarning(t("This could not be opened. Reopen the panel, then try again."));
        onClose();
      },
    );
    // Once: `load` is the same for as long as the component is shown.
  }, []);
  useLayoutEffect(() => {
    if (Loaded !== undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault(); // Otherwise the key stops a running reply.
      onClose();
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [Loaded, onClose]);
  if (Loaded !== undefined) return <Loaded {...props} />;
  return field === undefined ? null : <EarlyField {...field} />;
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
