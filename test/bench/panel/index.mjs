/**
 * Measures the panel of the packaged extension in a real VS Code: activation, time until the user
 * can type, and the delay of a token from the socket to the screen.
 */
import { measurePackaged } from "../packaged.mjs";

export const title = "activation, opening, and from a token's bytes to its paint";

export const run = ({ log }) => measurePackaged("panel", log);
