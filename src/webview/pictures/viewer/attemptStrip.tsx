/** The pictures or pages that were compared with the same picture so far, as a row of buttons. */
import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Attempt } from "./attempts";

export function equalText(percent: number): string {
  return t("{0} % of the pixels are equal", percent);
}

interface AttemptStripProps {
  readonly attempts: readonly Attempt[];
  readonly shown: string;
  /** True to focus the attempt that is shown, e.g. after the page was loaded again for it. */
  readonly isFocused?: boolean | undefined;
  readonly onChoose: (id: string) => void;
}

export function AttemptStrip({ attempts, shown, isFocused = false, onChoose }: AttemptStripProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFocused) ref.current?.focus();
  }, [isFocused]);
  if (attempts.length < 2) return null;
  return (
    <ol class="attempt-strip" aria-label={t("Attempts so far")}>
      {attempts.map(({ id, name, percent }) => {
        const label = `${name}: ${equalText(percent)}`;
        return (
          <li key={id}>
            <button
              ref={id === shown ? ref : null}
              type="button"
              class="toggle-button"
              title={label}
              aria-label={label}
              aria-pressed={id === shown}
              onClick={() => onChoose(id)}
            >
              {`${percent} %`}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
