import { t } from "@vscode/l10n";
import type { MeterView } from "../../protocol/views";
import { usePanel } from "../state/panelContext";

/** Parts of a request in the order of the bar. */
const PARTS = ["system", "history", "files", "pictures", "question"] as const;
type Part = (typeof PARTS)[number];

/** Estimated tokens of the next request, and what the budget leaves out. */
export function ContextMeter() {
  const meter = usePanel().store.meter.value;
  if (meter === undefined) return null;
  const total = PARTS.reduce((sum, part) => sum + meter[part], 0);
  if (total === 0 || meter.budget <= 0) return null;
  const text = meterText(meter);
  const wholeWidth = Math.max(total, meter.budget);
  return (
    <div class={total > meter.budget ? "context-meter is-over" : "context-meter"}>
      <div
        class="meter-bar"
        role="meter"
        aria-label={t("Estimated tokens")}
        aria-valuemin={0}
        aria-valuemax={meter.budget}
        aria-valuenow={Math.min(total, meter.budget)}
        aria-valuetext={text}
      >
        {PARTS.map((part) => (
          <span
            key={part}
            class={`meter-part is-${part}`}
            style={{ width: `${(meter[part] / wholeWidth) * 100}%` }}
          />
        ))}
      </div>
      <div class="meter-words">{text}</div>
      <div class="meter-left-out" role="status">
        {meter.leftOut}
      </div>
    </div>
  );
}

/** "system 40 · history 2.1k · pictures 0.9k of 32k tokens" */
function meterText(meter: MeterView): string {
  const parts = PARTS.filter((part) => meter[part] > 0).map((part) =>
    partText(part, shortCount(meter[part])),
  );
  return t("{0} of {1} tokens", parts.join(" · "), shortCount(meter.budget));
}

function partText(part: Part, count: string): string {
  switch (part) {
    case "system":
      return t("system {0}", count);
    case "history":
      return t("history {0}", count);
    case "files":
      return t("files {0}", count);
    case "pictures":
      return t("pictures {0}", count);
    case "question":
      return t("question {0}", count);
    default:
      return part satisfies never;
  }
}

/** Formats a count as "40", "0.9k", "2.1k" or "32k". */
function shortCount(count: number): string {
  if (count < 500) return String(Math.round(count));
  const thousands = count / 1000;
  return `${thousands < 10 ? Number(thousands.toFixed(1)) : Math.round(thousands)}k`;
}
