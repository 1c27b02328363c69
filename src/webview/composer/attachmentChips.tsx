import { t } from "@vscode/l10n";
import { useEffect, useRef } from "preact/hooks";
import type { AttachmentView, AutomaticView, ChipView } from "../../protocol/views";
import type { PlaceView } from "../state/draft";
import { Icon, IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";
import { AttachedPicture, FitChoice } from "../pictures/attach/attachedPicture";
import { Chip, ChipLabel, KindIcon, tooltipOf } from "../ui/chip";
import { later } from "../ui/later";

const PictureNotesChip = later(
  async () => (await import("../pictures/attach/pictureNotesChip")).PictureNotesChip,
);

/**
 * Attachments of the draft, which scroll if there are many, and below them the chips of automatic
 * context, which stay visible. After a removal the focus moves to the next Remove button or, after
 * the last attachment, to the text.
 */
export function AttachmentChips() {
  const { store, host, draft } = usePanel();
  const listRef = useRef<HTMLDivElement>(null);
  // The toggle "Mark in picture" shows the note that asks for coordinates.
  const attachments = store.attachments.value.filter(({ kind }) => kind !== "pointing");
  const conversationId = store.conversationId.value;
  const automatic = draft.automatic.value;
  if (conversationId === undefined) return null;
  const definitions = draft.definitions.value;
  const rules = store.panel.value?.rules;
  const context = [automatic, definitions, rules];
  const places = draft.places.value;
  const hasContext = places.length > 0 || context.some((one) => one !== undefined);
  if (attachments.length === 0 && !hasContext) return null;

  function openDefinitions(definitionsId: string): void {
    host.send({ type: "definitions-opened", definitionsId });
  }

  function remove({ id }: AttachmentView, index: number): void {
    const buttons = [...(listRef.current?.querySelectorAll<HTMLElement>(".chip-remove") ?? [])];
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next) next.focus();
    else draft.focus();
    if (conversationId) host.send({ type: "attachment-removed", conversationId, attachmentId: id });
  }

  return (
    <div ref={listRef} role="list" class="attachments" aria-label={t("Attachments")}>
      {attachments.length > 0 && (
        <div role="none" class="chip-rows attached-chips">
          {attachments.map((attachment, index) => (
            <div role="listitem" key={attachment.id} class="chip attachment">
              <AttachmentContent attachment={attachment} conversationId={conversationId} />
              <IconButton
                icon="close"
                label={t("Remove attachment {0}", nameOf(attachment))}
                class="chip-remove"
                onClick={() => remove(attachment, index)}
              />
            </div>
          ))}
        </div>
      )}
      <PictureNotesChip attachments={attachments} />
      {hasContext && (
        <div role="none" class="chip-rows context-chips">
          {places.length > 0 && <PlaceChips places={places} />}
          {automatic && <AutomaticChip automatic={automatic} />}
          {definitions && (
            <ContextChip
              chip={definitions}
              onOpen={definitions.isOn ? () => openDefinitions(definitions.id) : undefined}
              onSwitch={(isOn) => host.send({ type: "definitions-switched", isOn })}
            />
          )}
          {rules && (
            <ContextChip
              chip={rules}
              onOpen={() => host.send({ type: "rules-opened" })}
              onSwitch={(isOn) => host.send({ type: "rules-switched", isOn })}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Returns the label with the lines, as two attachments can be of the same file. */
function nameOf({ kind, label, detail }: AttachmentView): string {
  return kind === "file" && detail !== "" ? `${label} ${detail}` : label;
}

function AttachmentContent({
  attachment,
  conversationId,
}: {
  readonly attachment: AttachmentView;
  readonly conversationId: string;
}) {
  const { host } = usePanel();
  const attachmentId = attachment.id;
  if (attachment.kind === "picture") {
    return (
      <>
        {attachment.picture ? (
          <AttachedPicture attachment={attachment} />
        ) : (
          <>
            <KindIcon kind={attachment.kind} />
            <ChipLabel chip={attachment} />
          </>
        )}
        <FitChoice attachment={attachment} />
      </>
    );
  }
  return (
    <button
      type="button"
      class="chip-open"
      title={tooltipOf(attachment)}
      onClick={() => host.send({ type: "attachment-opened", conversationId, attachmentId })}
    >
      <Chip chip={attachment} />
    </button>
  );
}

interface ContextChipProps {
  readonly chip: ChipView & { readonly isOn: boolean };
  /** Absent if there is nothing to open. */
  readonly onOpen?: (() => void) | undefined;
  readonly onSwitch: (isOn: boolean) => void;
}

/** Automatic context with a button that removes it from all questions, or adds it again. */
function ContextChip({ chip, onOpen, onSwitch }: ContextChipProps) {
  const { isOn, label } = chip;
  const content = <Chip chip={isOn ? chip : { ...chip, detail: t("not included") }} />;
  return (
    <div role="listitem" class={`chip attachment is-automatic ${isOn ? "" : "is-off"}`}>
      {onOpen ? (
        <button
          type="button"
          class="chip-open"
          title={isOn ? tooltipOf(chip) : t("{0}: not included", tooltipOf(chip))}
          onClick={onOpen}
        >
          {content}
        </button>
      ) : (
        content
      )}
      <IconButton
        icon={isOn ? "close" : "add"}
        label={isOn ? t("Remove attachment {0}", label) : t("Add {0}", label)}
        class="chip-remove"
        onClick={() => onSwitch(!isOn)}
      />
    </div>
  );
}

/** Lines that a pasted trace names, each added by a click; Tab in the text adds all. */
function PlaceChips({ places }: { readonly places: readonly PlaceView[] }) {
  const { draft, announcer } = usePanel();
  useEffect(
    () => announcer.announce(t("{0} places can be added. Tab adds all.", places.length)),
    [],
  );
  return places.map((place) => (
    <div role="listitem" key={place.index}>
      <button
        type="button"
        class="chip attachment is-automatic is-off"
        title={t("Add {0} (Tab: all)", tooltipOf(place))}
        onClick={() => draft.addPlaces([place])}
      >
        <bdi class="chip-label">{place.label}</bdi>
        <Icon name="add" />
      </button>
    </div>
  ));
}

function AutomaticChip({ automatic }: { readonly automatic: AutomaticView }) {
  const { host } = usePanel();
  const { isOn, leftOut, label, detail } = automatic;
  if (leftOut !== undefined) {
    const reason = {
      secrets: t("not included: may contain secrets"),
      outside: t("not included: outside the workspace"),
      shared: t("not included: hard link"),
      excluded: t("not included: excluded by a list"),
    }[leftOut];
    return (
      <div
        role="listitem"
        class="chip attachment is-automatic is-off"
        title={`${tooltipOf(automatic)}: ${reason}`}
      >
        <Chip chip={{ ...automatic, detail: reason }} />
      </div>
    );
  }
  const title = isOn
    ? t("{0}: included automatically", tooltipOf(automatic))
    : t("{0}: not included", tooltipOf(automatic));
  return (
    <div role="listitem">
      <button
        type="button"
        class="chip attachment is-automatic"
        aria-pressed={isOn}
        title={title}
        onClick={() => host.send({ type: "automatic-switched", isOn: !isOn })}
      >
        {detail !== "" && <span class="chip-detail">{t("Selection")}</span>}
        <bdi class="chip-label">{detail === "" ? label : `${label}:${detail}`}</bdi>
        <Icon name={isOn ? "close" : "add"} />
      </button>
    </div>
  );
}
