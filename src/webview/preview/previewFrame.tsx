/**
 * Frame of a preview: sandboxed, with an opaque origin, in the chosen size, scaled down to the width of
 * the tab.
 */
import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PreviewSize } from "./previewSizes";

interface PreviewFrameProps {
  readonly html: string;
  /** Undefined for the size of the tab. */
  readonly size: PreviewSize | undefined;
}

export function PreviewFrame({ html, size }: PreviewFrameProps) {
  const stageRef = useRef<HTMLDivElement>(null);
  const containerRef = useRef<HTMLDivElement>(null);
  const [stagePx, setStagePx] = useState(0);

  useLayoutEffect(() => {
    const stage = stageRef.current;
    if (stage === null) return undefined;
    const observer = new ResizeObserver(() => setStagePx(stage.clientWidth));
    observer.observe(stage);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const frame = document.createElement("iframe");
    // The sandbox applies to documents that are loaded afterwards, so it comes first.
    frame.setAttribute("sandbox", "");
    frame.referrerPolicy = "no-referrer";
    frame.title = t("Preview of the page");
    frame.srcdoc = html;
    containerRef.current?.replaceChildren(frame);
  }, [html]);

  const scale = size && stagePx > 0 ? Math.min(1, stagePx / size.widthPx) : 1;
  const shownSize = size && {
    width: `${Math.floor(size.widthPx * scale)}px`,
    height: `${Math.floor(size.heightPx * scale)}px`,
  };
  const frame = size && {
    "--frame-width": `${size.widthPx}px`,
    "--frame-height": `${size.heightPx}px`,
    "--frame-scale": String(scale),
  };
  return (
    // A stage that is lower than the page scrolls, so that the keyboard must reach it.
    <div
      ref={stageRef}
      class="preview-stage"
      role="group"
      aria-label={t("Preview of the page")}
      tabIndex={0}
    >
      <div
        ref={containerRef}
        class={size ? "preview-container has-size" : "preview-container"}
        style={{ ...shownSize, ...frame }}
      />
    </div>
  );
}
