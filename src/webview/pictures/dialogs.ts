/**
 * What PictureLayer loads when the first picture is opened.
 */
export { PictureEditor } from "./pictureEditor";
export { PictureViewer } from "./pictureViewer";
