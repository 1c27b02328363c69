/**
 * What the panel's desk for pictures asks of VS Code: limits, the remembered choice, files.
 */
import type { PictureHost } from "../../chat/pictureDesk";
import { readSettings, writeSetting } from "../settings";
import { pickPictures, readPictures, savePicture } from "./pictureFiles";

/** The one implementation of the port. */
export const pictureHost: PictureHost = {
  limits() {
    const { settings } = readSettings();
    return { maxSidePx: settings["images.maxSidePx"], maxBytes: settings["images.maxBytes"] };
  },
  fit: () => readSettings().settings["images.whenTooLarge"],
  rememberFit: (fit) => void writeSetting("images.whenTooLarge", fit),
  pick: pickPictures,
  read: readPictures,
  save: savePicture,
};
