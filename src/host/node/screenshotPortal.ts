/**
 * Asks the desktop portal of Linux for a screenshot that the user selects. The portal shows the
 * desktop's own dialog and works on X11 and on Wayland.
 * Format: https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Screenshot.html
 */
import { randomBytes } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openSessionBus, type BusMessage, type SessionBus } from "./sessionBus";
import { readFileUpTo } from "./readFileUpTo";
import type { ScreenCapture } from "./screenCapture";

const PORTAL = "org.freedesktop.portal.Desktop";
const PORTAL_PATH = "/org/freedesktop/portal/desktop";
const REQUEST_INTERFACE = "org.freedesktop.portal.Request";

/** Name in messages about failures. */
const TOOL_NAME = "xdg-desktop-portal";

/** Response codes of a portal request. */
const SUCCEEDED = 0;
const CANCELED = 1;

/** Time for the portal to accept a request, in milliseconds; the dialog itself has no limit. */
const ACCEPT_TIMEOUT_MS = 10_000;

/** Returns `no-tool` without a session bus or a portal that takes screenshots. */
export async function captureByPortal(
  env: NodeJS.ProcessEnv,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ScreenCapture> {
  const startedMs = Date.now();
  const bus = await openSessionBus(
    env,
    AbortSignal.any([signal, AbortSignal.timeout(ACCEPT_TIMEOUT_MS)]),
  );
  if (bus === undefined) return { kind: signal.aborted ? "canceled" : "no-tool" };
  try {
    const response = await askForScreenshot(bus, signal);
    if (signal.aborted) return { kind: "canceled" };
    if (response === undefined) return { kind: "no-tool" };
    const [code, results] = response.body as [unknown, Readonly<Record<string, unknown>>];
    if (code === CANCELED) return { kind: "canceled" };
    const uri = code === SUCCEEDED ? results["uri"] : undefined;
    if (typeof uri !== "string" || !uri.startsWith("file:")) {
      return { kind: "failed", tool: TOOL_NAME };
    }
    const bytes = await consumeFile(fileURLToPath(uri), maxBytes, startedMs);
    return bytes ? { kind: "captured", bytes } : { kind: "failed", tool: TOOL_NAME };
  } catch {
    return { kind: signal.aborted ? "canceled" : "failed", tool: TOOL_NAME };
  } finally {
    bus.close(); // Closes the portal's dialog too, if it is still open.
  }
}

/** Returns the portal's response; undefined if there is no portal. */
async function askForScreenshot(
  bus: SessionBus,
  signal: AbortSignal,
): Promise<BusMessage | undefined> {
  const token = `corechat${randomBytes(6).toString("hex")}`;
  const sender = bus.uniqueName.slice(1).replaceAll(".", "_");
  const requestPath = `${PORTAL_PATH}/request/${sender}/${token}`;
  const responded = bus.waitForSignal(requestPath, REQUEST_INTERFACE, "Response", signal);
  responded.catch(() => undefined); // Awaited below, unless the portal refuses.
  const reply = await bus.call(
    {
      destination: PORTAL,
      path: PORTAL_PATH,
      interface: "org.freedesktop.portal.Screenshot",
      member: "Screenshot",
    },
    ["", { handle_token: token, interactive: true }],
    AbortSignal.any([signal, AbortSignal.timeout(ACCEPT_TIMEOUT_MS)]),
  );
  return reply.isError ? undefined : responded;
}

/** Reads the file that the portal wrote for this request, and deletes the file. */
async function consumeFile(
  path: string,
  maxBytes: number,
  startedMs: number,
): Promise<Uint8Array | undefined> {
  const { mtimeMs } = await stat(path);
  const bytes = await readFileUpTo(path, maxBytes);
  // An older file would not be of this request. File times have a resolution of up to two seconds.
  if (mtimeMs >= startedMs - 2_000) await rm(path, { force: true });
  return typeof bytes === "string" || bytes.length === 0 ? undefined : bytes;
}
