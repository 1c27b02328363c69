import { createRequiredContext } from "../state/requiredContext";
import type { PagePictures } from "./pagePictures";

export const [PicturesProvider, usePictures] = createRequiredContext<PagePictures>("PagePictures");
