/**
 * How much would be sent now, in estimated tokens: a slim bar with its parts in words, and what
 * the budget would leave out.
 */
import { t } from "@vscode/l10n";
import type { MeterView } from "../../protocol/views";
import { usePanel } from "../state/panelContext";

/** Parts of a question, in the order of the bar. */
const PARTS = ["system", "history", "files", "pictures", "question"] as const;
type Part = (typeof PARTS)[number];

export function ContextMeter() {
  const meter = usePanel().store.meter.value;
  if (meter === undefined) return null;
  const total = PARTS.reduce((sum, part) => sum + meter[part], 0);
  if (total === 0 || meter.budget <= 0) return null;
  const words = meterWords(meter);
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
        aria-valuetext={words}
      >
        {PARTS.map((part) => (
          <span
            key={part}
            class={`meter-part is-${part}`}
            style={{ width: `${(meter[part] / wholeWidth) * 100}%` }}
          />
        ))}
      </div>
      <div class="meter-words">{words}</div>
      <div class="meter-left-out" role="status">
        {meter.leftOut}
      </div>
    </div>
  );
}

/** "system 40 · history 2.1k · pictures 0.9k of 32k tokens" */
function meterWords(meter: MeterView): string {
  const parts = PARTS.filter((part) => meter[part] > 0).map((part) =>
    partWords(part, shortCount(meter[part])),
  );
  return t("{0} of {1} tokens", parts.join(" · "), shortCount(meter.budget));
}

function partWords(part: Part, count: string): string {
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

/** "40", "0.9k", "2.1k", "32k": an estimate needs no more digits. */
function shortCount(count: number): string {
  if (count < 500) return String(Math.round(count));
  const thousands = count / 1000;
  return `${thousands < 10 ? Number(thousands.toFixed(1)) : Math.round(thousands)}k`;
}
