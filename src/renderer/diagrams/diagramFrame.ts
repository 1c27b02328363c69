/**
 * Sandboxed, invisible frame in which Mermaid runs, with an opaque origin and the page's content
 * security policy. Receives one source at a time and returns SVG text. A frame that takes too long
 * is replaced, so that it fails only the diagram that it was drawing.
 */
import { POLICY_NAME, trustedHtml } from "../trusted";
import { diagramProgram } from "./diagramProgram";
import { frameProgram, type DiagramTheme, type FromFrame, type ToFrame } from "./frameProgram";

/** Maximum length of an image, in UTF-16 units. */
const MAX_SVG_LENGTH = 2_000_000;

interface Waiting {
  readonly id: number;
  readonly resolve: (svg: string | undefined) => void;
}

export class DiagramFrame {
  private readonly document: Document;
  private waiting: Waiting | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private frame: HTMLIFrameElement | undefined;
  private port: Promise<MessagePort> | undefined;
  private nextId = 1;

  constructor(document: Document) {
    this.document = document;
  }

  /**
   * Returns SVG text, or undefined if the source cannot be drawn. Rejects if Mermaid cannot be
   * loaded, and after the time limit, which begins when the drawings before this one have ended.
   */
  draw(source: string, theme: DiagramTheme, timeoutMs: number): Promise<string | undefined> {
    const drawing = this.last.then(() => this.drawInTime(source, theme, timeoutMs));
    this.last = drawing.catch(() => undefined);
    return drawing;
  }

  private async drawInTime(
    source: string,
    theme: DiagramTheme,
    timeoutMs: number,
  ): Promise<string | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("the diagram was not drawn in time")), timeoutMs);
    });
    try {
      return await Promise.race([this.request(source, theme), timeout]);
    } catch (error) {
      this.reset();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async request(source: string, theme: DiagramTheme): Promise<string | undefined> {
    const port = await (this.port ??= this.open());
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting = { id, resolve };
      port.postMessage({ kind: "draw", id, source, theme } satisfies ToFrame);
    });
  }

  private async open(): Promise<MessagePort> {
    const frame = this.document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.setAttribute("aria-hidden", "true");
    frame.tabIndex = -1;
    // Mermaid measures text, so the frame must be rendered, though invisible.
    Object.assign(frame.style, {
      position: "fixed",
      inset: "0 auto auto 0",
      width: "1px",
      height: "1px",
      border: "0",
      opacity: "0",
      pointerEvents: "none",
    });
    frame.srcdoc = trustedHtml(frameHtml(findNonce(this.document)));
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    this.document.body.append(frame);
    this.frame = frame;
    await loaded;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<FromFrame>) => this.receive(data);
    // An opaque origin has no other target name.
    frame.contentWindow?.postMessage("", "*", [port2]);
    port1.postMessage({ kind: "program", text: diagramProgram } satisfies ToFrame);
    return port1;
  }

  private receive(message: FromFrame): void {
    if (this.waiting?.id !== message.id) return;
    const svg: unknown = message.kind === "drawn" ? message.svg : undefined;
    const isImage = typeof svg === "string" && svg.startsWith("<svg");
    this.waiting.resolve(isImage && svg.length <= MAX_SVG_LENGTH ? svg : undefined);
    this.waiting = undefined;
  }

  /** Removes the frame; the next diagram opens a new one. */
  private reset(): void {
    this.frame?.remove();
    this.frame = undefined;
    this.port = undefined;
    this.waiting = undefined;
  }
}

/** Returns the page's nonce: the frame inherits the page's policy. */
function findNonce(document: Document): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/**
 * Returns the HTML of the frame. Its policy forbids all loading, even where the page's allows it.
 */
function frameHtml(nonce: string): string {
  const scripts = nonce === "" ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  const policy = `default-src 'none'; script-src ${scripts}`;
  const args = [POLICY_NAME, nonce].map((argument) => JSON.stringify(argument)).join(",");
  return `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"></head>
<body><script nonce="${nonce}">(${frameProgram.toString()})(${args})</script></body></html>`;
}
