/**
 * Receipt of a question, counted in the sent request and shown above its card while the pointer or the
 * focus is in it. Expands to the list of its pictures, each of which opens in the viewer.
 */
import { t } from "@vscode/l10n";
import type { ChipView, UserView } from "../../../protocol/views";
import { usePictures } from "../picturesContext";

export function SentLine({ view }: { readonly view: UserView }) {
  const { id, sentLine, sentPictures = [] } = view;
  if (sentLine === undefined) return null;
  if (sentPictures.length === 0) {
    return (
      <div class="sent-facts sent-line" title={sentLine}>
        {sentLine}
      </div>
    );
  }
  return (
    <details class="sent-facts sent-pictures">
      <summary class="sent-line" title={sentLine}>
        {sentLine}
      </summary>
      <ul aria-label={t("Pictures in the request")}>
        {sentPictures.map((chip, index) => (
          <li key={index}>
            <SentPicture chip={chip} messageId={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function SentPicture({ chip, messageId }: { readonly chip: ChipView; readonly messageId: string }) {
  const pictures = usePictures();
  const { label, detail, picture } = chip;
  if (picture === undefined) return <bdi>{label}</bdi>; // A web address, which is never loaded.
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => (pictures.shown.value = { kind: "looked-at", chip, messageId })}
    >
      <bdi>{label}</bdi> <bdi>{detail}</bdi>
    </button>
  );
}
