import type { ComponentType } from "preact";
import { usePanel, type LaterParts } from "../state/panelContext";

/** Returns a component of laterParts.ts that shows nothing until the chunk is loaded. */
export function later<Props extends object>(
  pick: (parts: LaterParts) => ComponentType<Props>,
): ComponentType<Props> {
  return function Later(props: Props) {
    const parts = usePanel().laterParts.value;
    if (parts === undefined) return null;
    const Component = pick(parts);
    return <Component {...props} />;
  };
}
