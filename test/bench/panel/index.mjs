/**
 * The panel in a real VS Code with the packaged extension: activation, time until one can type, and
 * the way of a token from the socket to the screen.
 */
import { measurePackaged } from "../packaged.mjs";

export const title = "activation, opening, and from a token's bytes to its paint";

export const run = ({ log }) => measurePackaged("panel", log);
