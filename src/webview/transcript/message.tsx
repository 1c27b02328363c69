import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { ChipView, ReplyView } from "../../protocol/views";
import { Chip, LeftOut, tooltipOf } from "../ui/chip";
import { IconButton, MenuButton, TextButton } from "../ui/iconButton";
import { DismissibleNotice, Notice } from "../ui/notice";
import { Toolbar } from "../ui/toolbar";
import { useIsRunning, usePanel } from "../state/panelContext";
import { PictureRetry } from "../pictures/attach/pictureRetry";
import { SentLine } from "../pictures/attach/sentLine";
import { PictureLost, Thumbnail } from "../pictures/attach/thumbnail";
import type * as pointsModule from "../pointing/replyPoints";
import type { MessageModel, ReplyModel, UserModel } from "../state/store";
import { firstWords } from "../state/questionWords";
import { QuestionBand } from "./questionBand";
import { QuestionText } from "./questionText";
import { useRenderer } from "./rendererContext";
import { ReplyBody } from "./replyBody";
import { Thinking } from "./thinking";
import { TurnStatusLine } from "./turnStatusLine";
import { VersionStepper } from "./versionStepper";
import { usePictures } from "../pictures/picturesContext";
import { later } from "../ui/later";

const Asides = later(async () => (await import("./asides")).Asides);
const ForksOfMessage = later(async () => (await import("./forks")).ForksOfMessage);
const Summaries = later(async () => (await import("./summaryCard")).Summaries);

export function Message({ model }: { readonly model: MessageModel }) {
  return model.role === "user" ? <Question model={model} /> : <Reply model={model} />;
}

function Question({ model }: { readonly model: UserModel }) {
  const { draft } = usePanel();
  const view = model.view.value;
  const { id, text, chips, version, gapBefore, isForgotten = false } = view;
  const isLeftOut = useIsLeftOut(id);
  const isRunning = useIsRunning();
  return (
    <article
      class={isLeftOut ? "message question is-left-out" : "message question"}
      aria-label={t("You")}
      data-message-id={id}
      tabIndex={-1}
      data-vscode-context={menuContext("question", id, isLeftOut)}
    >
      <Summaries messageId={id} />
      <Heading
        text={t("Question {0}: {1}", model.number.value, firstWords(view, HEADING_LENGTH))}
      />
      <Gap text={gapBefore} />
      <div class="question-card">
        {isLeftOut && <NotSentMark />}
        <QuestionText text={text} />
        <div class="question-meta">
          <SentChips chips={chips} messageId={id} />
          {view.notSent !== undefined && <span class="not-sent">{view.notSent}</span>}
          <VersionStepper messageId={id} version={version} />
        </div>
        <SentLine view={view} />
      </div>
      <Asides messageId={id} />
      <Toolbar class="message-actions" label={t("Actions for your message")}>
        {!isForgotten && (
          <IconButton
            icon="edit"
            label={t("Edit message")}
            isDisabled={isRunning}
            onClick={() => draft.edit(id)}
          />
        )}
        <MenuButton label={t("Message menu")} />
      </Toolbar>
      <ForksOfMessage messageId={id} />
    </article>
  );
}

/** Returns true if the message, or a picture of it, is left out of what is sent. */
function useIsLeftOut(messageId: string, picture?: string): boolean {
  const leftOut = usePanel().store.sending.value?.leftOut ?? [];
  return leftOut.some((one) => one.messageId === messageId && one.picture === picture);
}

/** VS Code passes this to the commands of the context menu. */
function menuContext(role: string, messageId: string, isLeftOut: boolean): string {
  const sending = isLeftOut ? "left-out" : "sent";
  return JSON.stringify({ "coreChat.message": role, "coreChat.sending": sending, messageId });
}

function NotSentMark() {
  return <span class="sending-mark">{t("not sent")}</span>;
}

/** Length of the words in the heading of a question, in UTF-16 units. */
const HEADING_LENGTH = 80;

/**
 * Heading of a message for screen readers. The style sheet writes the text for their reading line by
 * line, so that it is neither copied nor found by a search.
 */
function Heading({ text }: { readonly text: string }) {
  return <h2 class="visually-hidden" aria-label={text} data-heading={text} />;
}

/** Note about messages that could not be read. */
function Gap({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div class="notice is-warning" role="note">
      <span class="notice-text">{text}</span>
    </div>
  );
}

interface SentChipsProps {
  readonly chips: readonly ChipView[];
  readonly messageId: string;
  /** True for pictures that the model made. */
  readonly isMade?: boolean;
}

/** Attachments of a sent question: its pictures as a grid of tiles, then the others. */
function SentChips({ chips, messageId, isMade = false }: SentChipsProps) {
  const numbered = chips.map((chip, index) => ({ chip, index }));
  const pictures = numbered.filter(({ chip }) => chip.picture !== undefined);
  const otherChips = numbered.filter(({ chip }) => chip.picture === undefined);
  const show = ({ chip, index }: (typeof numbered)[number]) => (
    <SentChip key={index} chip={chip} messageId={messageId} index={index} isMade={isMade} />
  );
  return (
    <>
      {pictures.length > 0 && <div class="picture-grid">{pictures.map(show)}</div>}
      {otherChips.map(show)}
    </>
  );
}

interface SentChipProps extends Omit<SentChipsProps, "chips"> {
  readonly chip: ChipView;
  /** Index among the question's chips. */
  readonly index: number;
}

/** Attachment of a sent question. Opens a file in the editor, a picture over the panel. */
function SentChip({ chip, messageId, index, isMade = false }: SentChipProps) {
  const { host, store, announcer, navigation } = usePanel();
  const pictures = usePictures();
  const { label, picture, quoted } = chip;
  // A picture by web address has its address as label.
  const key = picture?.hash ?? (chip.kind === "picture" ? label : undefined);
  const isPictureLeftOut = useIsLeftOut(messageId, key) && key !== undefined;
  const isLeftOut = chip.isLeftOut === true || isPictureLeftOut;
  const [lost, setLost] = useState("");
  if (picture === undefined) {
    return (
      <button
        type="button"
        class="chip chip-open"
        title={tooltipOf(chip)}
        onClick={() => {
          if (quoted) navigation.show({ messageId: quoted.messageId, quoted });
          else host.send({ type: "chip-opened", messageId, index });
        }}
      >
        <Chip chip={{ ...chip, isLeftOut }} />
      </button>
    );
  }
  function attach(hash: string): void {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined) return;
    host.send({ type: "picture-put-back", conversationId, messageId, hash });
    announcer.showToast(t("Attached"));
  }

  return (
    <span class="sent-picture">
      <button
        type="button"
        class="thumbnail-button"
        aria-label={isMade ? t("Open {0}", label) : t("Open {0} as sent", label)}
        title={tooltipOf(chip) + (chip.detail === "" ? "" : ` · ${chip.detail}`)}
        onClick={() => (pictures.shown.value = { kind: "looked-at", chip, messageId })}
      >
        <Thumbnail picture={picture} onLost={setLost} />
      </button>
      {lost === "" ? <bdi class="chip-label">{label}</bdi> : <PictureLost reason={lost} />}
      {isLeftOut && <LeftOut />}
      {isMade && (
        <IconButton
          icon="attach"
          label={t("Attach {0} to the next question", label)}
          onClick={() => attach(picture.hash)}
        />
      )}
    </span>
  );
}

function Reply({ model }: { readonly model: ReplyModel }) {
  const view = model.view.value;
  const { host } = usePanel();
  const { id, isStreaming, metaLine, metaDetails = metaLine, notice } = view;
  const isLeftOut = useIsLeftOut(id);
  const states = [isStreaming ? "is-streaming" : [], isLeftOut ? "is-left-out" : []];
  return (
    <article
      class={["message reply", ...states.flat()].join(" ")}
      aria-label={t("Assistant")}
      aria-busy={isStreaming}
      data-message-id={id}
      tabIndex={-1}
      data-vscode-context={menuContext(isFailed(model) ? "failure" : "reply", id, isLeftOut)}
    >
      <ReplyHeading model={model} />
      <QuestionBand model={model} />
      {isLeftOut && <NotSentMark />}
      <Gap text={view.gapBefore} />
      <Thinking model={model} />
      <ReplyBody model={model} />
      <Asides messageId={id} />
      {view.pictures && <ReplyPictures pictures={view.pictures} messageId={id} />}
      {view.seenPictures && <LatePoints model={model} />}
      <Gap text={view.gapInside} />
      <ToolCalls calls={view.toolCalls} />
      <TurnStatusLine messageId={id} isStreaming={isStreaming} />
      {notice && (
        <Notice
          notice={notice}
          onAction={(action) => host.send({ type: "action-asked", action, messageId: id })}
        />
      )}
      {view.unused && (
        <DismissibleNotice
          notice={view.unused}
          isExpanded={false}
          onAction={(action) => host.send({ type: "action-asked", action, messageId: id })}
        />
      )}
      {view.pictureRetry && <PictureRetry messageId={id} retry={view.pictureRetry} />}
      <div class="message-footer">
        {!isStreaming && (
          <>
            <ReviewFiles messageId={id} text={model.text.whole} />
            <ReplyActions model={model} />
          </>
        )}
        <div class="meta-line" title={metaDetails}>
          {metaLine}
        </div>
      </div>
      <ForksOfMessage messageId={id} />
    </article>
  );
}

interface ReplyPicturesProps {
  readonly pictures: readonly ChipView[];
  readonly messageId: string;
}

/** Pictures that the model made; the viewer attaches and saves them. */
function ReplyPictures({ pictures, messageId }: ReplyPicturesProps) {
  return (
    <>
      <SentChips chips={pictures.filter(({ picture }) => picture)} messageId={messageId} isMade />
      {pictures
        .filter(({ picture }) => picture === undefined)
        .map(({ detail }, index) => (
          <Gap key={index} text={detail} />
        ))}
    </>
  );
}

/** Loads the positions in pictures, a chunk of its own, with the first reply about a picture. */
function LatePoints({ model }: { readonly model: ReplyModel }) {
  const renderer = useRenderer();
  const [loaded, setLoaded] = useState<typeof pointsModule>();
  useEffect(() => {
    // The coordinates stay text.
    import("../pointing/replyPoints").then(setLoaded, () =>
      renderer.reportFailure("positions chunk"),
    );
  }, [renderer]);
  return loaded === undefined ? null : <loaded.ReplyPoints model={model} />;
}

/** True for a reply whose code can belong to several files: two blocks, or a diff. */
function hasSeveralBlocks(text: string): boolean {
  const fences = text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  return (
    fences >= 4 || (fences >= 2 && /^(?:diff --git |--- |\*\*\* (?:Add|Update) File:)/m.test(text))
  );
}

function ReplyHeading({ model }: { readonly model: ReplyModel }) {
  const { store } = usePanel();
  const { modelKind } = model.view.value;
  const name = store.panel.value?.models.find(({ id }) => id === modelKind)?.label ?? modelKind;
  return <Heading text={t("Reply {0}, {1}", model.question.value?.number.value ?? "?", name)} />;
}

interface ReviewFilesProps {
  readonly messageId: string;
  readonly text: string;
}

/** Button that reviews all changes of a reply; nothing if its blocks name no file. */
function ReviewFiles({ messageId, text }: ReviewFilesProps) {
  const { host } = usePanel();
  const [count, setCount] = useState(0);
  useEffect(() => {
    setCount(0);
    if (!hasSeveralBlocks(text)) return undefined;
    let isCurrent = true;
    host.request({ type: "named-files-counted", messageId }).then(
      ({ fileCount = 0 }) => isCurrent && setCount(fileCount),
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [host, messageId, text]);
  if (count === 0) return null;
  return (
    <TextButton
      label={count === 1 ? t("Review 1 file") : t("Review {0} files", count)}
      onClick={() => host.send({ type: "apply-all-asked", messageId })}
    />
  );
}

/** True for an error without text, which has only the menu. */
function isFailed({ view, text }: ReplyModel): boolean {
  return view.value.notice !== undefined && text.whole === "";
}

function ReplyActions({ model }: { readonly model: ReplyModel }) {
  const { id, version } = model.view.value;
  const { host } = usePanel();
  const isRunning = useIsRunning();
  return (
    <Toolbar class="message-actions" label={t("Actions for the reply")}>
      {!isFailed(model) && (
        <>
          <IconButton
            icon="copy"
            label={t("Copy")}
            hasTick
            onClick={() => host.send({ type: "copy-asked", messageId: id })}
          />
          <IconButton
            icon="refresh"
            label={t("Regenerate")}
            isDisabled={isRunning}
            onClick={() => host.send({ type: "regenerate-asked", messageId: id })}
          />
        </>
      )}
      <MenuButton label={t("Message menu")} />
      <VersionStepper messageId={id} version={version} />
    </Toolbar>
  );
}

/** Function calls of the model: shown, never run. */
function ToolCalls({ calls }: { readonly calls: ReplyView["toolCalls"] }) {
  return calls.map(({ name, argumentsText }, index) => (
    <div key={index} class="tool-call">
      <div class="tool-call-name">{t("Requested function call: {0}", name)}</div>
      <pre tabIndex={0}>{argumentsText}</pre>
    </div>
  ));
}
