/** The page of a preview: sizes, what was left out, and the comparison with a picture of the conversation. */
import { t } from "@vscode/l10n";
import { useMemo, useRef, useState } from "preact/hooks";
import type { FromPreview, PreviewState } from "../../protocol/previewMessages";
import type { PictureTools } from "../pictures/pictureTools";
import { PictureComparison } from "./pictureComparison";
import { Icon } from "../ui/iconButton";
import { hostOf } from "./leftOut";
import { PreviewFrame } from "./previewFrame";
import { PreviewPictures } from "./previewPictures";
import { comparedPreviewSize, previewSizes } from "./previewSizes";
import { previewHtml, type SafeDocument } from "./safeDocument";

/** Number of hosts and files in the line that names what was left out; the list has all of them. */
const MAX_SHOWN_HOSTS = 4;

export interface PreviewPageProps {
  readonly state: PreviewState;
  readonly page: SafeDocument;
  /** Id of the size that the user chose before the page was loaded again. */
  readonly sizeId: string | undefined;
  readonly saveSize: (id: string) => void;
  readonly send: (message: Exclude<FromPreview, { type: "original-asked" }>) => void;
  /** Loads an original; rejects if the original cannot be read. */
  readonly loadOriginal: (hash: string) => Promise<Blob>;
  readonly tools: PictureTools;
}

export function PreviewPage({ state, page, ...props }: PreviewPageProps) {
  const { sizeId, saveSize, send, loadOriginal, tools } = props;
  const { originals } = state;
  const { document, leftOut } = page;
  const sizes = useMemo(() => previewSizes(originals, devicePixelRatio), [originals]);
  const [chosenId, setChosenId] = useState(sizeId);
  const chosen = sizes.find(({ id }) => id === chosenId) ?? sizes[0];
  const html = useMemo(() => previewHtml(document), [document]);
  const [isComparing, setIsComparing] = useState(false);
  const [originalHash, setOriginalHash] = useState(originals[0]?.hash ?? "");
  const [problem, setProblem] = useState("");
  const original = originals.find(({ hash }) => hash === originalHash);
  const size = original && comparedPreviewSize(original, chosen, devicePixelRatio);
  const pictures = useMemo(
    () => size && new PreviewPictures(document, size, tools, loadOriginal),
    [document, size?.widthPx, size?.picture.widthPx, loadOriginal],
  );
  const toggleRef = useRef<HTMLButtonElement>(null);

  function endComparing(): void {
    setIsComparing(false);
    toggleRef.current?.focus();
  }

  async function ask(hash: string): Promise<void> {
    if (pictures === undefined) return;
    setProblem("");
    try {
      const png = new Uint8Array(await (await pictures.drawn()).arrayBuffer());
      send({ type: "comparison-attached", hash, png, leftOut: [...leftOut] });
    } catch {
      setProblem(t("This page could not be rendered as a picture. Take a screenshot instead."));
    }
  }

  return (
    <main
      class="preview"
      onKeyDown={(event) => {
        if (event.key === "Escape" && isComparing) endComparing();
      }}
    >
      <h1 class="visually-hidden">{t("Preview")}</h1>
      <div class="picture-tools comparison-tools" role="toolbar" aria-label={t("Preview")}>
        {!isComparing && (
          <select
            class="fit-choice"
            aria-label={t("Size")}
            value={chosen?.id}
            onChange={({ currentTarget }) => {
              setChosenId(currentTarget.value);
              saveSize(currentTarget.value);
            }}
          >
            {sizes.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
        {original && (
          <button
            ref={toggleRef}
            type="button"
            class="secondary-button"
            aria-pressed={isComparing}
            title={t(
              "The preview is drawn from the code, without scripts and from the top of the page. Fonts and form fields can look slightly different.",
            )}
            onClick={() => setIsComparing(!isComparing)}
          >
            <Icon name="split-horizontal" />
            {t("Compare with the original")}
          </button>
        )}
      </div>
      {page.hasScripts && !isComparing && (
        <p class="preview-note" role="status">
          {t(
            "Scripts do not run in a preview. Save the page and open it in a browser to run them.",
          )}
        </p>
      )}
      {page.tailwind !== "" && !isComparing && (
        <p class="preview-note">
          {t("Styled with Tailwind {0}, which is part of the extension.", page.tailwind)}
        </p>
      )}
      <LeftOutNote leftOut={leftOut} />
      {isComparing && problem !== "" && (
        <p class="preview-note" role="status">
          {problem}
        </p>
      )}
      {isComparing && original && size && pictures ? (
        <PictureComparison
          picture={{
            ...size.picture,
            hash: PreviewPictures.hashFor(original.hash),
            name: t("Preview"),
          }}
          other={original}
          others={originals}
          source={pictures}
          onChoose={setOriginalHash}
          ask={() => void ask(original.hash)}
        />
      ) : (
        <PreviewFrame html={html} size={chosen?.size} />
      )}
    </main>
  );
}

/** Names what the page would load; nothing for a page that is complete. */
function LeftOutNote({ leftOut }: Pick<SafeDocument, "leftOut">) {
  if (leftOut.length === 0) return null;
  const hosts = new Set(leftOut.map(hostOf));
  const shown = [...hosts].slice(0, MAX_SHOWN_HOSTS).join(", ");
  const names = hosts.size > MAX_SHOWN_HOSTS ? `${shown}, …` : shown;
  return (
    <details class="preview-note left-out">
      <summary>
        <span role="status">
          {leftOut.length === 1
            ? t("1 thing was not loaded: {0}", names)
            : t("{0} things were not loaded: {1}", leftOut.length, names)}
        </span>
      </summary>
      <p>
        {t(
          "A preview loads no other files and nothing from the web, so this page can look different. Ask for one page that has everything inside.",
        )}
      </p>
      <ul>
        {leftOut.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </details>
  );
}
