/**
 * Proposes what to redact in a picture. Searches its text without a request, if the text is known, and
 * sends the picture to the vision model only after a click. Nothing of that request is stored.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RedactionsView } from "../../../protocol/pictureMessages";
import type { AttachmentView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";
import { croppedArea, writeMarks, type Mark } from "../marks";
import { isNote } from "../noteMarks";
import { usePictures } from "../picturesContext";
import { foundInReply, foundInText, proposalsOf, type ProposedArea } from "./proposals";

interface RedactionFinderProps {
  readonly attachment: AttachmentView;
  readonly marks: readonly Mark[];
  readonly proposals: readonly ProposedArea[];
  readonly onProposals: (proposals: readonly ProposedArea[]) => void;
  readonly onRedact: () => void;
  readonly onClose: () => void;
}

type State =
  | { readonly kind: "opening" | "asking" }
  /** Nothing was sent. */
  | { readonly kind: "open"; readonly problem: string }
  | { readonly kind: "answered"; readonly problem: string };

export function RedactionFinder(props: RedactionFinderProps) {
  const { attachment, marks, proposals, onProposals, onRedact, onClose } = props;
  const { hash = "", widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
  const { host, store } = usePanel();
  const text = usePictures().texts.get(hash);
  const [state, setState] = useState<State>({ kind: "opening" });
  const [view, setView] = useState<RedactionsView>();
  const [reading, setReading] = useState(0);
  const [sent, setSent] = useState<RedactionsView>();
  const groupRef = useRef<HTMLElement>(null);
  const isAsking = state.kind === "asking";
  const latest = useRef(state);
  latest.current = state;

  function propose(found: RedactionsView | undefined, answer?: RedactionsView, index = 0): void {
    const inText = found && text ? foundInText(found.matches, text) : [];
    const read = answer?.readings[index];
    const inReply = read ? foundInReply(read) : [];
    onProposals(proposalsOf([...inText, ...inReply], marks, { widthPx, heightPx }));
  }

  useEffect(() => {
    let isGone = false;
    host
      .request({ type: "picture-redactions-opened", text: text?.text ?? "" })
      .then(({ redactions, notice }) => {
        if (isGone) return;
        setView(redactions);
        propose(redactions);
        setState({ kind: "open", problem: notice?.text ?? "" });
      })
      .catch(() => !isGone && setState({ kind: "open", problem: t("Try again.") }));
    return () => {
      isGone = true;
      if (latest.current.kind === "asking") host.send({ type: "picture-redactions-stopped" });
      // An answer that is on its way belongs to no finder.
      latest.current = { kind: "opening" };
    };
  }, []);
  // The control that had the focus was replaced; a key pressed next acts on the new one.
  useLayoutEffect(() => {
    if (state.kind === "opening") return;
    if (document.activeElement === document.body || state.kind !== "asking") {
      groupRef.current?.querySelector<HTMLElement>("input, button:not(:disabled)")?.focus();
    }
  }, [state.kind]);

  function stop(): void {
    host.send({ type: "picture-redactions-stopped" });
    setState({ kind: "open", problem: t("Stopped.") });
  }

  async function send(): Promise<void> {
    const asking: State = { kind: "asking" };
    setState(asking);
    let answer: RedactionsView | undefined;
    let problem = "";
    try {
      const drawn = marks.filter((mark) => !isNote(mark) && mark.kind !== "crop");
      const area = croppedArea(marks, widthPx, heightPx);
      const reply = await host.request({
        type: "picture-redactions-asked",
        hash,
        marks: writeMarks([...drawn, { kind: "crop", ...area }]),
        x: area.x,
        y: area.y,
        widthPx: area.width,
        heightPx: area.height,
      });
      answer = reply.redactions;
      problem =
        reply.notice?.text ?? (reply.isAccepted ? "" : t("The picture could not be searched."));
    } catch {
      problem = t("The picture could not be searched. Try again.");
    }
    // A request that was stopped has no result.
    if (latest.current !== asking) return;
    setSent(answer);
    setReading(0);
    if (answer) propose(view, answer);
    setState({ kind: "answered", problem });
  }

  function chooseReading(index: number): void {
    setReading(index);
    propose(view, sent, index);
  }

  function redact(): void {
    const scale = sent?.readings[reading]?.scale;
    const conversationId = store.conversationId.peek();
    if (scale !== undefined && conversationId !== undefined) {
      host.send({ type: "coordinates-chosen", conversationId, scale });
    }
    onRedact();
  }

  const taken = proposals.filter(({ isTaken }) => isTaken).length;
  const readings = sent?.readings.length ?? 0;
  const isFailed = state.kind === "answered" && state.problem !== "";
  const canSend = view !== undefined && view.host !== "" && (state.kind === "open" || isFailed);
  return (
    <section
      ref={groupRef}
      class="redaction-finder"
      role="group"
      aria-label={t("Find what to redact")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault(); // The editor stays open.
        event.stopPropagation();
        if (isAsking) stop();
        else onClose();
      }}
    >
      <div role="status">
        {statusLines(state, proposals.length, view, sent, text !== undefined).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {"problem" in state && state.problem !== "" && <p role="alert">{state.problem}</p>}
      {readings > 1 && (
        <label>
          {t("The scale of the model is not known. Which frames fit?")}{" "}
          <select
            value={reading}
            onChange={({ currentTarget }) => chooseReading(Number(currentTarget.value))}
          >
            {sent?.readings.map((_, index) => (
              <option key={index} value={index}>
                {t("{0} of {1}", index + 1, readings)}
              </option>
            ))}
          </select>
        </label>
      )}
      {proposals.length > 0 && (
        <ul class="redaction-list" aria-label={t("Proposed areas")}>
          {proposals.map((proposal) => (
            <li key={proposal.number}>
              <label>
                <input
                  type="checkbox"
                  checked={proposal.isTaken}
                  disabled={isAsking}
                  onChange={({ currentTarget: { checked } }) =>
                    onProposals(
                      proposals.map((one) =>
                        one === proposal ? { ...one, isTaken: checked } : one,
                      ),
                    )
                  }
                />
                {t("{0}. {1}", proposal.number, proposal.name)}
              </label>
            </li>
          ))}
        </ul>
      )}
      <div class="redaction-actions">
        {proposals.length > 0 && !isAsking && (
          <>
            <button type="button" class="primary-button" disabled={taken === 0} onClick={redact}>
              {taken === proposals.length ? t("Redact all") : t("Redact {0}", taken)}
            </button>
            <button
              type="button"
              class="secondary-button"
              onClick={() =>
                onProposals(proposals.map((one) => ({ ...one, isTaken: taken === 0 })))
              }
            >
              {taken === 0 ? t("Select all") : t("Select none")}
            </button>
          </>
        )}
        {canSend && (
          <button
            type="button"
            class={proposals.length > 0 ? "secondary-button" : "primary-button"}
            onClick={() => void send()}
          >
            {t("Send this picture")}
          </button>
        )}
        {isAsking ? (
          <button type="button" class="secondary-button" onClick={stop}>
            {t("Stop")}
          </button>
        ) : (
          <button type="button" class="secondary-button" onClick={onClose}>
            {t("Cancel")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Returns the lines of the status: the search, its result, and that nothing of it is kept. */
function statusLines(
  state: State,
  count: number,
  view: RedactionsView | undefined,
  sent: RedactionsView | undefined,
  hasText: boolean,
): string[] {
  if (state.kind === "opening") return [t("Searching…")];
  if (state.kind === "asking") return [t("Searching the picture. Escape stops.")];
  const lines: string[] = [];
  if (sent === undefined) {
    if (hasText && count === 0) {
      lines.push(t("The text of the page has no e-mail addresses, keys or passwords."));
    } else if (hasText) {
      lines.push(t("Found in the text of the page, without a request: {0}", count));
    }
    if (view !== undefined && view.host !== "") {
      lines.push(
        t(
          "To find names, e-mail addresses, keys and faces, this picture is sent to {0}, model {1}. What is redacted already stays black. Neither the sent picture nor the reply is kept.",
          view.host,
          view.modelCode,
        ),
      );
    }
    return lines;
  }
  if (sent.isUnreadable === true && state.kind === "answered" && state.problem === "") {
    lines.push(t("The reply has no positions that can be read. Redact the picture yourself."));
  } else if (sent.isUnreadable !== true) {
    lines.push(
      count === 0
        ? t("Nothing was found. Check the picture: the model can overlook things.")
        : t("Found: {0}. Check the picture: the model can overlook things.", count),
    );
  }
  if (sent.sentBytes !== undefined) {
    lines.push(
      t(
        "Sent to {0}, model {1}: {2} KB. Neither the sent picture nor the reply is kept.",
        sent.host,
        sent.modelCode,
        Math.ceil(sent.sentBytes / 1024),
      ),
    );
  }
  return lines;
}
