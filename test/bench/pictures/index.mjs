/**
 * A pasted screenshot on its way: in the packaged extension in a real VS Code, from paste to chip and
 * to the request; and what two peers' rules would have sent of it.
 */
import { measurePackaged } from "../packaged.mjs";

export const title = "a pasted screenshot of 3840×2160";

export const run = ({ log }) => measurePackaged("pictures", log);
