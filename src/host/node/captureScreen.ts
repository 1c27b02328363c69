/**
 * Captures a region of the screen if this host runs on the machine that shows VS Code. Twin:
 * web/captureScreen.ts.
 */
import { captureRegion, type ScreenCapture } from "./regionTools";

/** Client platforms whose tools this host can run if it is the user's own machine. */
const HOST_PLATFORMS: Readonly<Record<string, NodeJS.Platform>> = { mac: "darwin", linux: "linux" };

/**
 * Captures a region of the user's screen. Aborting the signal ends the tool.
 * @param clientPlatform platform of the machine that shows VS Code; another platform than the host's
 *   has another screen
 */
export async function captureScreen(
  clientPlatform: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ScreenCapture> {
  const { platform, env } = process;
  // In a session over SSH the screen is elsewhere.
  const isOwnScreen = HOST_PLATFORMS[clientPlatform] === platform && !env["SSH_CONNECTION"];
  if (!isOwnScreen) return { kind: "no-tool" };
  return captureRegion({ platform, env, maxBytes }, signal);
}
