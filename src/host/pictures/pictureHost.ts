/**
 * What the panel's desk for pictures asks of VS Code: limits, the remembered choice, files.
 */
import type { PictureHost } from "../../chat/imageAttachments";
import { readSettings } from "../settings/settings";

// Read when a picture first comes from a file or goes into one; see esbuild.mjs.
const files = () => import("./pictureFiles");

/** The one implementation of the port. */
export const pictureHost: PictureHost = {
  limits() {
    const { settings } = readSettings();
    return { maxSidePx: settings["images.maxSidePx"], maxBytes: settings["images.maxBytes"] };
  },
  fit: () => readSettings().settings["images.whenTooLarge"],
  pick: async () => (await files()).pickPictures(),
  read: async (uris) => (await files()).readPictures(uris),
  save: async (name, mediaType, bytes) => (await files()).savePicture(name, mediaType, bytes),
};
