/**
 * What is offered in documents without being asked for by name: the light bulb's actions, and the
 * question on links to pictures. Read a moment after the start, when nobody waits.
 */
import { Disposables, type Disposable } from "../../base/disposables";
import { offerOnImageLinks } from "../pictures/onImageLinks";
import { offerCodeActions } from "./codeActions";

/** Offers them until disposed. */
export function offerInDocuments(): Disposable {
  const owned = new Disposables();
  owned.add(offerCodeActions());
  owned.add(offerOnImageLinks());
  return owned;
}
