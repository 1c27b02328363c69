/** The page of a preview: sizes, scripts, and the comparison with a picture of the conversation. */
import { t } from "@vscode/l10n";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { MAX_LEFT_OUT, type FromPreview, type PreviewState } from "../../protocol/previewMessages";
import type { PictureTools } from "../pictures/pictureTools";
import type { GalleryPicture } from "../pictures/viewer/gallery";
import {
  ComparisonModes,
  PictureComparison,
  type ComparisonMode,
} from "../pictures/viewer/pictureComparison";
import { differenceNotes, type Differences } from "../pictures/viewer/regionLayer";
import { Icon } from "../ui/iconButton";
import { hostOf, joinedLeftOut, kindName, leftOutBlocked, type LeftOut } from "./leftOut";
import { PreviewFrame } from "./previewFrame";
import { PreviewPictures } from "./previewPictures";
import { comparedPreviewSize, previewSizes } from "./previewSizes";
import { leftOutOfCode, previewHtml } from "./safeDocument";
import type { StandIn } from "./standIns";

/** Number of hosts and files in the line that names what was left out; the list has all of them. */
const MAX_SHOWN_HOSTS = 4;

export interface PreviewPageProps {
  readonly state: PreviewState;
  /** The code with what replaces things of the web. */
  readonly code: PreviewState["code"];
  readonly standIns: readonly StandIn[];
  /** Id of the size that the user chose before the page was loaded again. */
  readonly sizeId: string | undefined;
  readonly saveSize: (id: string) => void;
  readonly send: (message: Exclude<FromPreview, { type: "original-asked" }>) => void;
  /** Loads an original; rejects if the original cannot be read. */
  readonly loadOriginal: (hash: string) => Promise<Blob>;
  readonly tools: PictureTools;
}

export function PreviewPage({ state, code, standIns, ...props }: PreviewPageProps) {
  const { sizeId, saveSize, send, loadOriginal, tools } = props;
  const { originals, runsScripts } = state;
  const sizes = useMemo(() => previewSizes(originals, devicePixelRatio), [originals]);
  const [chosenId, setChosenId] = useState(sizeId);
  const chosen = sizes.find(({ id }) => id === chosenId) ?? sizes[0];
  const html = useMemo(() => {
    try {
      return previewHtml(code, runsScripts);
    } catch {
      return undefined;
    }
  }, [code, runsScripts]);
  const [leftOut, setLeftOut] = useState(() =>
    leftOutOfCode(state.code).filter(({ address }) => !isReplaced(address, standIns)),
  );
  const onBlocked = useCallback((directive: string, blockedUri: string) => {
    const blocked = leftOutBlocked(directive, blockedUri);
    if (blocked) setLeftOut((known) => joinedLeftOut(known, [blocked]));
  }, []);
  const [isComparing, setIsComparing] = useState(false);
  const [mode, setMode] = useState<ComparisonMode>("side-by-side");
  const [originalHash, setOriginalHash] = useState(originals[0]?.hash ?? "");
  const [problem, setProblem] = useState("");
  const original = originals.find(({ hash }) => hash === originalHash);
  const size = original && comparedPreviewSize(original, chosen, devicePixelRatio);
  const pictures = useMemo(
    () => size && new PreviewPictures(code, runsScripts, size, tools, loadOriginal),
    [code, size?.widthPx, size?.picture.widthPx, loadOriginal],
  );
  const toggleRef = useRef<HTMLButtonElement>(null);

  function endComparing(): void {
    setIsComparing(false);
    toggleRef.current?.focus();
  }

  async function ask(differences: Differences, { hash, widthPx }: GalleryPicture): Promise<void> {
    if (pictures === undefined || size === undefined) return;
    const scale = widthPx / size.picture.widthPx;
    setProblem("");
    try {
      const png = new Uint8Array(await (await pictures.drawn()).arrayBuffer());
      const different = standIns.filter(({ isSame }) => !isSame);
      const addresses = [...leftOut, ...different].map(({ address }) => address);
      const { first, second } = differenceNotes(differences, 1, scale);
      const notes = { original: first, preview: second };
      send({
        type: "comparison-attached",
        hash,
        png,
        leftOut: addresses.slice(0, MAX_LEFT_OUT),
        notes,
      });
    } catch {
      setProblem(t("This page could not be rendered as a picture. Take a screenshot instead."));
    }
  }

  if (html === undefined) {
    return (
      <p role="alert" class="preview-note">
        {t("This code cannot be previewed. Open it as a new file instead.")}
      </p>
    );
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
            onClick={() => setIsComparing(!isComparing)}
          >
            <Icon name="split-horizontal" />
            {t("Compare with the original")}
          </button>
        )}
        {isComparing && <ComparisonModes mode={mode} onMode={setMode} />}
        {!isComparing && <ScriptTools state={state} code={code} send={send} />}
      </div>
      <StandInNote standIns={standIns} />
      <LeftOutNote leftOut={leftOut} />
      {isComparing && (
        <p class="preview-note" role="status">
          {problem ||
            (runsScripts
              ? t(
                  "The preview is drawn as its scripts made it after loading, from the top of the page. Fonts and form fields can look slightly different.",
                )
              : t(
                  "The preview is drawn from the code, without scripts and from the top of the page. Fonts and form fields can look slightly different.",
                ))}
        </p>
      )}
      {isComparing && original && size && pictures ? (
        <PictureComparison
          mode={mode}
          picture={previewPicture(original.hash, size.picture)}
          others={originals.map((one): GalleryPicture => ({ ...one, detail: "" }))}
          first={original.hash}
          source={pictures}
          askName={t("Fix the differences")}
          rounds={{
            earlier: state.rounds[original.hash] ?? [],
            count: (count) => send({ type: "differences-counted", hash: original.hash, count }),
          }}
          onChoose={setOriginalHash}
          ask={(...asked) => void ask(...asked)}
        />
      ) : (
        <PreviewFrame
          html={html}
          runsScripts={runsScripts}
          size={chosen?.size}
          onBlocked={onBlocked}
        />
      )}
    </main>
  );
}

function previewPicture(
  originalHash: string,
  size: Pick<GalleryPicture, "widthPx" | "heightPx">,
): GalleryPicture {
  return { hash: PreviewPictures.hashFor(originalHash), ...size, name: t("Preview"), detail: "" };
}

function isReplaced(address: string, standIns: readonly StandIn[]): boolean {
  return standIns.some((one) => one.address === address);
}

/** Names what the page shows in place of things of the web; nothing without any. */
function StandInNote({ standIns }: Pick<PreviewPageProps, "standIns">) {
  if (standIns.length === 0) return null;
  return (
    <details class="preview-note left-out">
      <summary>
        <span role="status">
          {standIns.length === 1
            ? t("1 thing from the web was replaced")
            : t("{0} things from the web were replaced", standIns.length)}
        </span>
      </summary>
      <ul>
        {standIns.map(({ address, by }) => (
          <li key={address}>{t("{0} → {1}", address, by)}</li>
        ))}
      </ul>
    </details>
  );
}

/** Names what the page would load; nothing for a page that is complete. */
function LeftOutNote({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null;
  const hosts = new Set(leftOut.map(({ address }) => hostOf(address)));
  const shown = [...hosts].slice(0, MAX_SHOWN_HOSTS).join(", ");
  const names = hosts.size > MAX_SHOWN_HOSTS ? `${shown}, …` : shown;
  return (
    <details class="preview-note left-out">
      <summary>
        <span role="status">
          {leftOut.length === 1
            ? t("1 thing was left out: {0}", names)
            : t("{0} things were left out: {1}", leftOut.length, names)}
        </span>
      </summary>
      <p>
        {t(
          "A preview loads no other files and nothing from the web, so this page can look different. Ask for one page that has everything inside.",
        )}
      </p>
      <ul>
        {leftOut.map(({ kind, address }) => (
          <li key={address}>{t("{0}: {1}", kindName(kind), address)}</li>
        ))}
      </ul>
    </details>
  );
}

/** Buttons and notes about scripts; nothing for a page without scripts. */
function ScriptTools({ state, code, send }: Pick<PreviewPageProps, "state" | "code" | "send">) {
  const { originals, runsScripts, canRunScripts } = state;
  const hasScripts = useMemo(() => mayRunScripts(code), [code]);
  // The buttons change with the page around them; the focus goes to the one in their place.
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (runsScripts) ref.current?.focus();
  }, [runsScripts]);
  if (!hasScripts) return null;
  if (!canRunScripts) {
    return <span class="preview-note">{t("Scripts do not run in Restricted Mode.")}</span>;
  }
  return (
    <>
      <button
        ref={ref}
        type="button"
        class="secondary-button"
        onClick={() => send({ type: "scripts-switched", isOn: !runsScripts })}
      >
        <Icon name={runsScripts ? "debug-stop" : "play"} />
        {runsScripts ? t("Stop scripts") : t("Run scripts")}
      </button>
      {runsScripts && (
        <button
          type="button"
          class="secondary-button"
          onClick={() => {
            const [first] = originals;
            send({ type: "preview-screenshot-asked", ...(first && { hash: first.hash }) });
          }}
        >
          <Icon name="device-camera" />
          {t("Take screenshot")}
        </button>
      )}
      <span class="preview-note" role="status">
        {runsScripts
          ? t(
              "Scripts are running. They cannot load or send anything, but a script that opens another address can make the browser look up its server.",
            )
          : t(
              "The scripts of this page are not running. They would run in this preview only and could not load or send anything, but opening another address can make the browser look up its server.",
            )}
      </span>
    </>
  );
}

/** True for code with a script, an event handler or a link that runs code. */
function mayRunScripts({ markup, scripts }: PreviewState["code"]): boolean {
  return scripts.length > 0 || /<[s]cript\b|\son[a-z]+\s*=|javascript:/i.test(markup);
}
