export type PictureContent = "text" | "table" | "code";

/** Marks around uncertain text. No keyboard types them, and no fence or table has a use for them. */
export const UNCERTAIN_START = "\u27e6";
export const UNCERTAIN_END = "\u27e7";
