/** Control sequences of terminals, such as colors and links. Source: ECMA-48. */
export const ANSI_SEQUENCES =
  /\u001b(?:\[[0-?]{0,60}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,1900}(?:\u0007|\u001b\\)|[()][0-9A-Z])/g;

/** Sequence or line end at the end of a piece of text that the next piece may complete. */
export const UNFINISHED_SEQUENCE =
  /(?:\r|\u001b(?:\[[0-?]{0,60}[ -/]{0,4}|\][^\u0007\u001b]{0,1900}\u001b?|[()])?)$/;
