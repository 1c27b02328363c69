/** Pictures by hash, for views that show or compare them. */
import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { ComparedSize } from "./comparedSize";

/** Picture of the difference of two pictures. */
export interface Difference {
  readonly png: Blob;
  readonly changedPixels: number;
}

export interface PictureLoader {
  /** Loads a picture; rejects with an error for `lostWords`. */
  load(hash: string): Promise<Blob>;
  difference(hash: string, otherHash: string, size: ComparedSize): Promise<Difference>;
}

/** Error for a picture that the host cannot read; the message is the host's error text, if any. */
export class LostPicture extends Error {
  override readonly name = "LostPicture";
}

/** Returns the error text for a picture that cannot be shown. */
export function lostWords(error: unknown): string {
  const known = error instanceof LostPicture ? error.message : "";
  return known || t("The picture could not be shown. Reopen the conversation to try again.");
}

/** Loads a picture: undefined while loading, an error text after a failure. */
export function usePicture(hash: string, loader: PictureLoader): Blob | string | undefined {
  const [loaded, setLoaded] = useState<Blob | string>();
  useEffect(() => {
    let isGone = false;
    setLoaded(undefined);
    loader.load(hash).then(
      (blob) => !isGone && setLoaded(blob),
      (error: unknown) => !isGone && setLoaded(lostWords(error)),
    );
    return () => {
      isGone = true;
    };
  }, [hash, loader]);
  return loaded;
}
