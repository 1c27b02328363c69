/**
 * Dialog to choose pages of a PDF, which are attached as pictures. Pages are drawn when they come near
 * the visible part of the list.
 */
import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../../state/panelContext";
import { TextButton } from "../../ui/iconButton";
import { pagesOf, rangesOf } from "./pageRanges";
import { PdfPages, type PdfProblem } from "./pdfPages";
import { PictureDialog } from "../pictureDialog";
import { useNearUrl } from "../pictureLoader";
import { usePictures } from "../picturesContext";

/** Longest side of a preview, in pixels. */
const PREVIEW_SIDE_PX = 320;

/** Distance from the visible part of the list at which pages are drawn, in CSS pixels. */
const NEAR_PX = 300;

export interface PageChooserProps {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly onClose: () => void;
}

export function PageChooser({ name, bytes, onClose }: PageChooserProps) {
  const { draft } = usePanel();
  const pictures = usePictures();
  const [pdf, setPdf] = useState<PdfPages | PdfProblem>();
  const [text, setText] = useState("1");
  useEffect(() => {
    let opened: PdfPages | undefined;
    let isUnmounted = false;
    PdfPages.open(bytes, pictures.loaded.scriptUrl).then(
      (result) => {
        if (result instanceof PdfPages) opened = result;
        if (isUnmounted) opened?.close();
        else setPdf(result);
      },
      () => !isUnmounted && setPdf("damaged"),
    );
    return () => {
      isUnmounted = true;
      opened?.close();
    };
  }, [bytes, pictures]);

  const pageCount = pdf instanceof PdfPages ? pdf.pageCount : 0;
  const chosen = pagesOf(text, pageCount);
  const [isAttaching, setIsAttaching] = useState(false);

  async function attach(): Promise<void> {
    if (!(pdf instanceof PdfPages) || chosen.length === 0) return;
    setIsAttaching(true);
    draft.dismissRefusals();
    for (const page of chosen) {
      try {
        const file = `${name}, ${t("page {0}", page)}.png`;
        const picture = await pdf.readable(page);
        await pictures.attaching.attach([new File([picture], file, { type: "image/png" })]);
      } catch {
        draft.showWarning(
          t("Page {0} of {1} could not be rendered. Attach the other pages.", page, name),
        );
      }
    }
    onClose();
    draft.focus();
  }

  function toggle(page: number): void {
    const withoutPage = chosen.filter((one) => one !== page);
    const pages = withoutPage.length < chosen.length ? withoutPage : [...withoutPage, page];
    setText(rangesOf(pages.sort((a, b) => a - b)));
  }

  return (
    <PictureDialog
      label={t("Pages of {0}", name)}
      onClose={onClose}
      tools={
        <>
          <label class="page-range">
            {t("Pages")}
            <input
              autocomplete="off"
              type="text"
              value={text}
              placeholder="1-3, 8"
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") void attach();
              }}
            />
          </label>
          {pageCount > 0 && <span>{t("of {0}", pageCount)}</span>}
        </>
      }
    >
      {pdf instanceof PdfPages ? (
        <ul class="pdf-pages" tabIndex={0} aria-label={t("Pages")}>
          {Array.from({ length: pageCount }, (_, index) => (
            <li key={index}>
              <label class="pdf-page">
                <PagePreview pdf={pdf} page={index + 1} />
                <span>
                  <input
                    type="checkbox"
                    checked={chosen.includes(index + 1)}
                    onChange={() => toggle(index + 1)}
                  />
                  {t("Page {0}", index + 1)}
                </span>
              </label>
            </li>
          ))}
        </ul>
      ) : (
        <p class="pdf-problem" role={pdf === undefined ? "status" : "alert"}>
          {problemText(pdf, name)}
        </p>
      )}
      <div class="pdf-footer">
        <TextButton
          label={chosen.length === 1 ? t("Attach 1 page") : t("Attach {0} pages", chosen.length)}
          look="primary-button"
          isDisabled={chosen.length === 0 || isAttaching}
          onClick={() => void attach()}
        />
      </div>
    </PictureDialog>
  );
}

function problemText(problem: PdfProblem | undefined, name: string): string {
  if (problem === undefined) return t("Opening {0}", name);
  return problem === "password"
    ? t("{0} is protected by a password. Save it without the password, then attach it.", name)
    : t("{0} could not be opened and may be damaged. Save it again, then attach it.", name);
}

/** Preview of a page, drawn while it is near the visible part; its picture is released afterwards. */
function PagePreview({ pdf, page }: { readonly pdf: PdfPages; readonly page: number }) {
  // A page that cannot be drawn keeps its empty frame.
  const { ref, url } = useNearUrl<HTMLSpanElement>(String(page), {
    nearPx: NEAR_PX,
    scrolling: ".pdf-pages",
    load: () => pdf.preview(page, PREVIEW_SIDE_PX),
  });
  return (
    <span ref={ref} class="pdf-preview">
      {url !== undefined && <img src={url} alt="" draggable={false} />}
    </span>
  );
}
