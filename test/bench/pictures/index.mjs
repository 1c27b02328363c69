/**
 * Measures a pasted screenshot in the packaged extension in a real VS Code, from paste to chip and
 * to the request, and compares the sent bytes with the rules of two other products.
 */
import { measurePackaged } from "../packaged.mjs";

export const title = "a pasted screenshot of 3840×2160";

export const run = ({ log }) => measurePackaged("pictures", log);
