/**
 * Viewer for pictures exactly as they were or will be sent, with zoom, keyboard and comparison. Leads
 * through all pictures of the conversation. Sent pictures can be attached again.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { IconButton, ItemsButton } from "../../ui/iconButton";
import type { MenuItem } from "../../ui/menu";
import { usePanel } from "../../state/panelContext";
import type { ComparisonMode } from "../../../protocol/previewMessages";
import type { GalleryPicture } from "./gallery";
import { ComparisonModes, PictureComparison } from "./pictureComparison";
import { fitItem, PictureDialog, PictureImage, ZoomTools } from "../pictureDialog";
import { usePicture } from "../pictureLoader";
import { useZoomArea, type ZoomArea } from "../zoomArea";
import { usePictures } from "../picturesContext";

export interface PictureViewerProps {
  /** Pictures to step through; never empty. */
  readonly gallery: readonly GalleryPicture[];
  readonly first: number;
  /** Returns a layer over the picture that is shown first. */
  readonly overlay?: (area: ZoomArea) => ComponentChildren;
  /** Shown below the picture that is shown first. */
  readonly footer?: ComponentChildren;
  /** True to begin with the comparison with the picture before it. */
  readonly isCompared?: boolean;
  readonly onClose: () => void;
}

export function PictureViewer({
  gallery,
  first,
  isCompared = false,
  overlay,
  footer,
  onClose,
}: PictureViewerProps) {
  const { host, store, draft, announcer } = usePanel();
  const pictures = usePictures();
  const [chosen, setChosen] = useState(first);
  const [isComparing, setIsComparing] = useState(isCompared);
  const [mode, setMode] = useState<ComparisonMode>("side-by-side");
  const at = Math.min(chosen, gallery.length - 1);
  const current = gallery[at];
  const { hash = "", widthPx = 1, heightPx = 1, name = "", detail = "" } = current ?? {};
  const { messageId, original } = current ?? {};
  const picture = usePicture(hash, pictures.loaded);
  const area = useZoomArea(hash, widthPx, heightPx, false);
  const comparable = [
    ...(original ? [{ ...original, name: t("{0} (original)", name), detail: "" }] : []),
    ...gallery.filter((other, index) => index !== at && other.hash !== hash),
  ];
  const [otherHash, setOtherHash] = useState("");
  // The picture before is usually the earlier state of the same thing.
  const before = original?.hash ?? (gallery[at - 1] ?? gallery[at + 1])?.hash;
  const otherAt = (other: string | undefined) => comparable.find((one) => one.hash === other);
  const other = otherAt(otherHash) ?? otherAt(before) ?? comparable[0];

  const attempts = new Map(
    [...pictures.attempts.value].map(([other, compared]) => [
      other,
      compared.filter(({ id }) => gallery.some((one) => one.hash === id)),
    ]),
  );

  async function copy(): Promise<void> {
    if (!(picture instanceof Blob)) return;
    const isCopied = await pictures.copy(picture);
    announcer.showToast(
      isCopied ? t("Copied") : t("The picture could not be copied. Save it instead."),
    );
  }

  /** Attaches both pictures and asks about their differences. */
  async function ask(earlier: GalleryPicture): Promise<void> {
    if (current === undefined) return;
    const sentBy = (one: GalleryPicture) => one.messageId ?? messageId ?? one.hash;
    const isAttached = await pictures.attaching.attachAgain([
      { hash: earlier.hash, messageId: sentBy(earlier) },
      { hash, messageId: sentBy(current) },
    ]);
    if (!isAttached) {
      announcer.showToast(t("The pictures could not be attached. Attach them, then try again."));
      return;
    }
    onClose();
    draft.suggest(
      t(
        "{0} was compared with the earlier picture {1}. Explain the differences.",
        current.name,
        earlier.name,
      ),
    );
  }

  function putBack(): void {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined || messageId === undefined) return;
    host.send({ type: "picture-put-back", conversationId, messageId, hash });
    onClose();
  }

  function copyContent(): void {
    pictures.openContent({ hash, name, widthPx, heightPx });
  }

  const compare: MenuItem = {
    icon: "split-horizontal",
    label: t("Compare"),
    isChecked: isComparing,
    choose: () => setIsComparing(!isComparing),
  };
  const items: readonly MenuItem[] = [
    ...(isComparing ? [] : [fitItem(area)]),
    ...(comparable.length > 0 ? [compare] : []),
    { icon: "list-selection", label: t("Copy from the picture"), choose: copyContent },
    {
      icon: "save",
      label: t("Save picture"),
      choose: () => host.send({ type: "picture-save-asked", hash, name }),
    },
    ...(messageId === undefined
      ? []
      : [{ icon: "attach", label: t("Attach this picture again"), choose: putBack }]),
  ];

  function step(by: 1 | -1): void {
    setChosen(Math.max(0, Math.min(gallery.length - 1, at + by)));
  }

  function onKeyDown(event: KeyboardEvent): void {
    // A list or a slider has its own use for these keys.
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement)
      return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "PageDown") step(1);
    else if (event.key === "PageUp") step(-1);
    else if (event.key === "c" && comparable.length > 0) setIsComparing(!isComparing);
    else if (event.key === "t" && !isComparing) copyContent();
    else if (isComparing || !area.onKey(event.key)) return;
    event.preventDefault();
  }

  return (
    <PictureDialog
      label={t("Picture")}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          {gallery.length > 1 && (
            <>
              <IconButton
                icon="chevron-left"
                label={t("Previous picture")}
                isDisabled={at === 0}
                onClick={() => step(-1)}
              />
              <span class="picture-zoom">{`${at + 1} / ${gallery.length}`}</span>
              <IconButton
                icon="chevron-right"
                label={t("Next picture")}
                isDisabled={at === gallery.length - 1}
                onClick={() => step(1)}
              />
            </>
          )}
          {!isComparing && (
            <>
              <ZoomTools area={area} />
              <IconButton icon="copy" label={t("Copy picture")} onClick={() => void copy()} />
            </>
          )}
          <ItemsButton icon="ellipsis" label={t("More actions")} items={items} />
          {isComparing && <ComparisonModes mode={mode} onMode={setMode} />}
        </>
      }
    >
      {isComparing && current && other ? (
        <PictureComparison
          mode={mode}
          picture={current}
          other={other}
          others={comparable}
          source={pictures.loaded}
          attempts={attempts}
          attempt={{ id: hash, name }}
          onCompared={(other, attempt) => pictures.addAttempt(other, attempt)}
          onAttempt={(id, other) => {
            setOtherHash(other);
            setChosen(gallery.findIndex((one) => one.hash === id));
          }}
          onChoose={setOtherHash}
          ask={() => void ask(other)}
          askName={t("Ask about the differences")}
        />
      ) : (
        <div {...area.props} class="picture-area" tabIndex={0} role="group" aria-label={name}>
          <PictureImage
            picture={picture}
            name={name}
            size={{ widthPx, heightPx }}
            zoom={area.zoom}
          />
          {at === first && overlay?.(area)}
        </div>
      )}
      {!isComparing && at === first && footer}
      <p class="picture-facts" title={`SHA-256 ${hash}`}>
        <bdi>{name}</bdi>
        <span>{messageId === undefined ? t("This will be sent: {0}", detail) : detail}</span>
      </p>
    </PictureDialog>
  );
}
