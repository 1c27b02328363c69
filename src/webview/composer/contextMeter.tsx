import { t } from "@vscode/l10n";
import { useEffect } from "preact/hooks";
import type { MeterView } from "../../protocol/views";
import { Icon } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";

/** Parts of a request in the order of the list. */
const PARTS = ["system", "history", "files", "pictures", "question"] as const;
type Part = (typeof PARTS)[number];

/** Shares of the budget from which the ring is shown, and has the color of a warning and of an error. */
const SHOWN_SHARE = 0.5;
const HIGH_SHARE = 0.8;
const FULL_SHARE = 1;

const DETAILS_ID = "context-details";

/** Radius of the ring so that its circumference is 100, the unit of `stroke-dasharray`. */
const RADIUS = 100 / (2 * Math.PI);

/** Ring with the estimated tokens of the next request; a click lists the parts. */
export function ContextRing() {
  const { store, host, navigation, isWholeNeeded } = usePanel();
  const conversationId = store.conversationId.value;

  function summarize(): void {
    if (conversationId !== undefined) host.send({ type: "summary-asked", conversationId });
    isWholeNeeded.value = true;
  }

  const meter = store.meter.value;
  const isSummaryAsked = navigation.isSummaryAsked.value;
  useEffect(() => {
    if (!isSummaryAsked) return;
    summarize();
    navigation.endSummaryAsked();
  }, [isSummaryAsked, navigation]);
  if (meter === undefined) return null;
  const total = PARTS.reduce((sum, part) => sum + meter[part], 0);
  const share = total / meter.budget;
  const { leftOut = [], summaries = [] } = store.sending.value ?? {};
  const isChosen = leftOut.length + summaries.length > 0;
  if (meter.budget <= 0 || (share < SHOWN_SHARE && !isChosen)) return null;
  const level = share >= FULL_SHARE ? "is-full" : share >= HIGH_SHARE ? "is-high" : "";
  const sum = t("{0} of {1} tokens", shortCount(total), shortCount(meter.budget));
  return (
    <span class="context-ring">
      <span
        class={`ring ${level}`}
        role="meter"
        aria-label={t("Estimated tokens")}
        aria-valuemin={0}
        aria-valuemax={meter.budget}
        aria-valuenow={Math.min(total, meter.budget)}
        aria-valuetext={meterText(meter)}
      >
        <svg viewBox="0 0 40 40" aria-hidden="true">
          <circle class="ring-track" cx="20" cy="20" r={RADIUS} />
          <circle
            class="ring-used"
            cx="20"
            cy="20"
            r={RADIUS}
            stroke-dasharray={`${Math.min(1, share) * 100} 100`}
          />
        </svg>
      </span>
      <button
        type="button"
        class="icon-button"
        title={[t("Context: {0}", sum), meter.next ? nextText(meter.next) : []].flat().join(". ")}
        popovertarget={DETAILS_ID}
      />
      <div
        id={DETAILS_ID}
        class="context-details"
        popover="auto"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation(); // Escape must not stop a running reply.
          event.currentTarget.hidePopover();
        }}
      >
        <strong>{t("Next request, estimated")}</strong>
        <ul>
          {PARTS.filter((part) => meter[part] > 0).map((part) => (
            <li key={part}>{partText(part, meter)}</li>
          ))}
        </ul>
        <div>{sum}</div>
        {meter.next && <div>{nextText(meter.next)}</div>}
        {meter.next?.summaryTokens !== undefined && (
          <button
            type="button"
            class="secondary-button"
            popovertarget={DETAILS_ID}
            popovertargetaction="hide"
            aria-describedby="summary-cost"
            onClick={summarize}
          >
            {t("Summarize older messages")}
          </button>
        )}
        {meter.next?.summaryTokens !== undefined && (
          <div id="summary-cost">
            {t("1 request, about {0} tokens", shortCount(meter.next.summaryTokens))}
          </div>
        )}
      </div>
    </span>
  );
}

/** Sentence above the composer about what the budget leaves out. */
export function ContextNote() {
  const leftOut = usePanel().store.meter.value?.leftOut ?? "";
  return (
    <div class="context-note" role="status">
      {leftOut !== "" && <Icon name="warning" />}
      {leftOut}
    </div>
  );
}

/** "system 40 · history 2.1k · pictures 0.9k of 32k tokens" */
function meterText(meter: MeterView): string {
  const parts = PARTS.filter((part) => meter[part] > 0).map((part) => partText(part, meter));
  const sum = t("{0} of {1} tokens", parts.join(" · "), shortCount(meter.budget));
  return meter.next ? `${sum}. ${nextText(meter.next)}` : sum;
}

/** "Left out next: 3 older messages, 1 picture" */
function nextText({ messages, pictures }: NonNullable<MeterView["next"]>): string {
  const older = messages === 1 ? t("1 older message") : t("{0} older messages", messages);
  const shown = pictures === 1 ? t("1 picture") : t("{0} pictures", pictures);
  const items = [messages > 0 ? older : [], pictures > 0 ? shown : []].flat();
  return t("Not sent next: {0}", items.join(", "));
}

function partText(part: Part, meter: MeterView): string {
  const count = shortCount(meter[part]);
  return {
    system: t("System prompt {0}", count),
    history: t("History {0}", count),
    files: t("Files {0}", count),
    pictures: t("Pictures {0}", count),
    question: t("Question {0}", count),
  }[part];
}

/** Formats a number of tokens as "40", "0.9k", "2.1k" or "32k". */
function shortCount(count: number): string {
  if (count < 500) return String(Math.round(count));
  const thousands = count / 1000;
  return `${thousands < 10 ? Number(thousands.toFixed(1)) : Math.round(thousands)}k`;
}
