/** Implements `PictureHost` with VS Code's settings and file dialogs. */
import type { PictureHost } from "../../chat/pictures/shownPictures";
import { readSettings } from "../settings/settings";

const files = () => import("./pictureFiles");
const screenshots = () => import("./takeScreenshot");

export const pictureHost: Omit<PictureHost, "openEditor"> = {
  limits() {
    const { settings } = readSettings();
    return { maxSidePx: settings["images.maxSidePx"], maxBytes: settings["images.maxBytes"] };
  },
  copyContent: async (content, reply) =>
    (await import("./copyContent")).copyContent(content, reply),
  fit: () => readSettings().settings["images.whenTooLarge"],
  save: async (name, mediaType, bytes) => (await files()).savePicture(name, mediaType, bytes),
  takeScreenshot: async (platform, signal) =>
    (await screenshots()).takeScreenshot(platform, signal),
};
