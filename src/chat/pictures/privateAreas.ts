/**
 * Asks the vision model once for the areas of a picture that should not be shown to others. The picture as
 * sent, the question and the reply stay in memory: no conversation has them, and the record of requests
 * keeps neither. The caller proposes the areas.
 */
import { ask, type TurnEvent } from "../../ask/ask";
import { defined } from "../../base/defined";
import { sha256 } from "../../base/sha256";
import { toBase64 } from "../../base/base64";
import { pictureTokenRange } from "../../context/countedPictures";
import type { Ending, Failure } from "../../conversation/ending";
import type { ImagePart, Message, Receipt, Reply } from "../../conversation/message";
import { isPrivateLabel, privateAreasQuestion } from "../../pointing/instruction";
import { placePoints, type PlacedPoint } from "../../pointing/placePointing";
import { PointingReader } from "../../pointing/readPointing";
import type { RedactionsView } from "../../protocol/pictureMessages";
import type { CoordinatesView } from "../../protocol/views";
import type { TurnOptions } from "../conversation/prepareTurn";
import { seenPictures } from "../view/toView";

/** Pictures in memory only. */
export class UnsavedPictures {
  private readonly bytes = new Map<string, Uint8Array>();

  async store(bytes: Uint8Array) {
    const hash = await sha256(bytes);
    this.bytes.set(hash, bytes);
    return { hash, isSaved: false };
  }

  readonly readImage = ({ hash, mediaType }: ImagePart) => {
    const bytes = this.bytes.get(hash);
    const read = bytes
      ? { url: `data:${mediaType};base64,${toBase64(bytes)}` }
      : { loss: "missing" as const };
    return Promise.resolve(read);
  };
}

export interface PrivateAreasQuestion {
  /** The picture or its tiles, as sent. */
  readonly pictures: readonly ImagePart[];
  readonly stored: UnsavedPictures;
  /** Profile of the service; missing for the current one. */
  readonly profile: string | undefined;
  readonly coordinates: CoordinatesView | undefined;
}

export type PrivateAreas =
  | {
      readonly kind: "ended";
      /** An ending other than "complete" leaves out areas. */
      readonly ending: Ending;
      readonly redactions: RedactionsView;
    }
  | { readonly kind: "not-sent"; readonly failure: Failure }
  /** The model of the service gets no pictures. */
  | { readonly kind: "no-pictures" };

type Requests = Pick<TurnOptions, "client" | "prepareTurn">;

/** Returns the settings of the request, which the page shows before anything is sent. */
export async function prepareSearch(
  { prepareTurn }: Requests,
  profile: string | undefined,
  path: readonly Message[] = [],
) {
  const settings = await prepareTurn(path, { model: "vl", ...defined({ profile }) });
  if ("kind" in settings) return { kind: "not-sent" as const, failure: settings };
  if (settings.modelKind !== "vl") return { kind: "no-pictures" as const };
  return { kind: "ready" as const, settings };
}

export async function findPrivateAreas(
  requests: Requests,
  { pictures, stored, profile, coordinates }: PrivateAreasQuestion,
  signal: AbortSignal,
): Promise<PrivateAreas> {
  const text = privateAreasQuestion(coordinates?.scales[0]);
  const parts = [...pictures, { kind: "text" as const, text }];
  const path: Message[] = [{ role: "user", id: "private", parentId: null, parts, sentAtMs: 0 }];
  const prepared = await prepareSearch(requests, profile, path);
  if (prepared.kind !== "ready") return prepared;
  const { settings } = prepared;
  const question = {
    ...settings,
    path,
    systemPrompt: "",
    isContinuing: false,
    // Positions need the number and the size of each picture.
    describesPictures: true,
    isPrivate: true,
  };
  const reply = new ReplyFacts();
  for await (const event of ask(requests.client, question, stored.readImage, signal)) {
    reply.append(event);
  }
  const { receipt, usage, ending } = reply;
  const reader = new PointingReader();
  const read = [...reader.append(reply.text), ...reader.end()];
  const placed = placePoints(read, seenPictures(path, new Set(pictures.map(({ hash }) => hash))), {
    isAsked: true,
    ...(coordinates && { scales: coordinates.scales, isScaleChosen: coordinates.isChosen }),
    ...(receipt && { tokens: pictureTokenRange({ receipt, ...defined({ usage }) }) }),
  });
  const scales = placed.choices.length > 0 ? placed.choices : [{ points: placed.points }];
  const readings = scales
    .map((choice) => ({
      ...("scale" in choice && { scale: choice.scale }),
      areas: choice.points.flatMap(areaOf),
    }))
    .filter(({ areas }) => areas.length > 0);
  const isUnreadable = readings.length === 0 && !isEmptyList(reply.text);
  return {
    kind: "ended",
    ending,
    redactions: {
      host: receipt?.host ?? "",
      modelCode: settings.modelCode,
      ...(receipt && { sentBytes: receipt.bodyBytes }),
      matches: [],
      readings,
      ...(isUnreadable && { isUnreadable }),
    },
  };
}

class ReplyFacts {
  text = "";
  receipt: Receipt | undefined;
  usage: Reply["usage"];
  ending: Ending = { kind: "stopped" };

  append(event: TurnEvent): void {
    if (event.type === "request-sent") this.receipt = event.receipt;
    else if (event.type === "text-delta") this.text += event.text;
    else if (event.type === "text-was-reasoning") this.text = "";
    else if (event.type === "turn-ended") {
      this.ending = event.ending;
      this.usage = event.usage;
    }
  }
}

/** Steps of the coarsest usual scale along a side; an edge is known to one step. */
const STEPS = 1000;

/** Returns the area that covers a box for certain; none for a point, which says nothing of the size. */
function areaOf({ region, label, widthPx, heightPx }: PlacedPoint) {
  const { x, y, width, height } = region;
  if (width <= 0 || height <= 0) return [];
  const known = label.trim().toLowerCase();
  const kind = isPrivateLabel(known) ? known : ("other" as const);
  const left = Math.max(0, Math.floor(x - widthPx / STEPS));
  const top = Math.max(0, Math.floor(y - heightPx / STEPS));
  const right = Math.min(widthPx, Math.ceil(x + width + widthPx / STEPS));
  const bottom = Math.min(heightPx, Math.ceil(y + height + heightPx / STEPS));
  return [
    {
      kind,
      label: kind === "other" ? label : "",
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    },
  ];
}

/** True for a reply that is an empty list, with or without a code block. */
function isEmptyList(text: string): boolean {
  return /^\s*(?:`{3,9}\w{0,9}\s+)?\[\s*\]\s*(?:`{3,9}\s*)?$/.test(text);
}
