/**
 * Zooms and pans a picture in a scrollable area. Ctrl+wheel and two fingers zoom around the pointer;
 * dragging pans.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Region } from "../../pointing/coordinates";

/** Zoom steps, in pixels of the display per picture pixel. */
const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];
const MIN_ZOOM = 0.01;
const MAX_ZOOM = 8;

/** Largest enlargement of a part that is shown. */
const MAX_PART_ZOOM = 4;

/** Movement up to which a press is a click, in CSS pixels. */
const MAX_CLICK_PX = 3;

/** Exponent of the zoom factor per pixel of wheel movement. */
const WHEEL_SPEED = 0.002;

/** Distance from the edge at which drawing scrolls the area, and the step, in CSS pixels. */
const EDGE_PX = 20;
const EDGE_STEP_PX = 12;

const MIDDLE_BUTTON = 1;

/** A point of the picture (0 to 1 on both axes) that is at a point of the screen with a zoom. */
interface Anchor {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly clientX: number;
  readonly clientY: number;
}

interface Finger {
  readonly x: number;
  readonly y: number;
}

export interface SharedZoom {
  readonly zoom: number;
  readonly setZoom: (zoom: number) => void;
}

export interface ZoomArea {
  /** CSS pixels per picture pixel; 0 until the area has a size. */
  readonly zoom: number;
  /** Zooms around the centre of the area. */
  readonly setZoom: (zoom: number) => void;
  /** Fits the whole picture, or its width if the whole is already fitted. */
  readonly fit: () => void;
  /** Fits a part of the picture, in its pixels, and centers it. */
  readonly showPart: (part: Region) => void;
  /** Props of the area's element, whose first child is the picture. */
  readonly props: {
    readonly ref: { current: HTMLDivElement | null };
    readonly onWheel: (event: WheelEvent) => void;
    readonly onPointerDownCapture: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
  };
  /** Handles a zoom key; returns false for other keys. */
  readonly onKey: (key: string) => boolean;
}

/**
 * @param key identity of the picture; a change fits the zoom again
 * @param isDrawn true if the primary button draws, so that Space or the middle button pans
 * @param shared zoom that several areas have together
 */
export function useZoomArea(
  key: string,
  widthPx: number,
  heightPx: number,
  isDrawn: boolean,
  shared?: SharedZoom,
): ZoomArea {
  const ref = useRef<HTMLDivElement>(null);
  const [ownZoom, setOwnZoom] = useState(0);
  const { zoom, setZoom: setZoomed } = shared ?? { zoom: ownZoom, setZoom: setOwnZoom };
  /** Zoom after the last event, which can be newer than the last rendering. */
  const latest = useRef(zoom);
  latest.current = zoom;
  const fingers = useRef(new Map<number, Finger>());
  const anchor = useRef<Anchor | undefined>(undefined);
  /** Part of the picture that was fitted; undefined once the zoom was chosen otherwise. */
  const fitted = useRef<"whole" | "width" | Region | undefined>(undefined);
  /** Key of the picture that was fitted last, which may be zoomed now. */
  const fittedKey = useRef<string | undefined>(undefined);
  const hand = useRef<Finger | undefined>(undefined);
  /** Place of the press, until the hand moves. */
  const pressed = useRef<Finger | undefined>(undefined);
  const isSpaceDown = useSpaceKey();

  function applyAnchor(): void {
    const area = ref.current;
    const box = area?.firstElementChild?.getBoundingClientRect();
    const held = anchor.current;
    if (!area || !box || held?.zoom !== zoom) return;
    anchor.current = undefined;
    area.scrollLeft += box.left + held.x * box.width - held.clientX;
    area.scrollTop += box.top + held.y * box.height - held.clientY;
  }
  useLayoutEffect(applyAnchor, [zoom]);

  function zoomAt(wanted: number, clientX: number, clientY: number): void {
    const box = ref.current?.firstElementChild?.getBoundingClientRect();
    fitted.current = undefined;
    latest.current = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, wanted));
    if (box && box.width > 0 && box.height > 0) {
      const x = (clientX - box.left) / box.width;
      const y = (clientY - box.top) / box.height;
      anchor.current = { zoom: latest.current, x, y, clientX, clientY };
    }
    setZoomed(latest.current);
  }

  function setZoom(wanted: number): void {
    const box = ref.current?.getBoundingClientRect();
    if (box) zoomAt(wanted, box.left + box.width / 2, box.top + box.height / 2);
  }

  function showPart(part: Region): void {
    const { x, y, width, height } = part;
    const area = ref.current;
    const box = area?.getBoundingClientRect();
    if (!area || !box) return;
    const fitting = Math.min((area.clientWidth - 8) / width, (area.clientHeight - 8) / height);
    setZoom(Math.min(MAX_PART_ZOOM, fitting));
    anchor.current = {
      zoom: latest.current,
      x: (x + width / 2) / widthPx,
      y: (y + height / 2) / heightPx,
      clientX: box.left + box.width / 2,
      clientY: box.top + box.height / 2,
    };
    if (latest.current === zoom) applyAnchor(); // No rendering follows.
    fitted.current = part;
  }

  function fitPart(part: "whole" | "width"): void {
    const area = ref.current;
    if (area === null) return;
    const toWidth = Math.min(1, (area.clientWidth - 8) / widthPx);
    const toWhole = Math.min(toWidth, (area.clientHeight - 8) / heightPx);
    setZoom(part === "whole" ? toWhole : toWidth);
    fitted.current = part;
  }

  function fit(): void {
    fitPart(fitted.current === "whole" ? "width" : "whole");
  }
  function fitNew(): void {
    if (fittedKey.current === key) return;
    fittedKey.current = key;
    fitPart("whole");
  }
  useEffect(fitNew, [key]); // Runs after the effect that gives the dialog its size.

  const refit = useRef(() => {});
  refit.current = () => {
    if (typeof fitted.current === "object") showPart(fitted.current);
    else if (fitted.current !== undefined) fitPart(fitted.current);
  };
  useLayoutEffect(() => {
    // Not the size of the area, which changes with a scrollbar that the zoom causes.
    const onResize = () => refit.current();
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, []);

  function endPointer({ pointerId }: PointerEvent): void {
    fingers.current.delete(pointerId);
    // A click beside the marks of a picture shows all of it.
    if (pressed.current && !isDrawn && !shared) fit();
    hand.current = pressed.current = undefined;
  }

  return {
    zoom,
    setZoom,
    fit,
    showPart,
    props: {
      ref,
      onWheel(event) {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const factor = Math.exp(-event.deltaY * WHEEL_SPEED);
        zoomAt(latest.current * factor, event.clientX, event.clientY);
      },
      onPointerDownCapture(event) {
        if (event.pointerType === "touch") fingers.current.set(event.pointerId, fingerOf(event));
        const isHand = isDrawn ? isSpaceDown.current : event.button === 0;
        if (!isHand && event.button !== MIDDLE_BUTTON) return;
        if (isOnScrollbar(event) || isOnButton(event)) return;
        event.preventDefault();
        event.stopPropagation();
        ref.current?.setPointerCapture(event.pointerId);
        hand.current = fingerOf(event);
        if (event.button === 0) pressed.current = hand.current;
      },
      onPointerMove(event) {
        const area = ref.current;
        if (area === null) return;
        const { clientX, clientY } = event;
        const { x = clientX, y = clientY } = pressed.current ?? {};
        if (Math.hypot(clientX - x, clientY - y) > MAX_CLICK_PX) pressed.current = undefined;
        const pinched = pinch(fingers.current, event);
        if (pinched) zoomAt(latest.current * pinched.factor, pinched.x, pinched.y);
        else if (hand.current) {
          area.scrollLeft -= clientX - hand.current.x;
          area.scrollTop -= clientY - hand.current.y;
          hand.current = { x: clientX, y: clientY };
        } else if (isDrawn && (event.buttons & 1) !== 0) scrollAtEdge(area, clientX, clientY);
      },
      onPointerUp: endPointer,
      onPointerCancel: endPointer,
    },
    onKey(pressed) {
      fitNew(); // A key can precede the effect.
      if (pressed === "+" || pressed === "=") setZoom(zoomed(latest.current, 1));
      else if (pressed === "-") setZoom(zoomed(latest.current, -1));
      else if (pressed === "0") fit();
      else if (pressed === "1" && !isDrawn) setZoom(actualZoom());
      else return false;
      return true;
    },
  };
}

/** Returns the next zoom step up (1) or down (-1). */
export function zoomed(from: number, direction: 1 | -1): number {
  const current = from / actualZoom();
  const next =
    direction === 1
      ? STEPS.find((step) => step > current * 1.01)
      : STEPS.findLast((step) => step < current * 0.99);
  return next === undefined ? from : next * actualZoom();
}

function actualZoom(): number {
  return 1 / devicePixelRatio;
}

function fingerOf({ clientX, clientY }: PointerEvent): Finger {
  return { x: clientX, y: clientY };
}

/**
 * Moves a finger; returns the zoom factor and the centre of a movement of two fingers, undefined for
 * other pointers.
 */
function pinch(fingers: Map<number, Finger>, event: PointerEvent) {
  const before = fingers.get(event.pointerId);
  if (before === undefined) return undefined;
  const after = fingerOf(event);
  fingers.set(event.pointerId, after);
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (other === undefined || fingers.size > 2) return undefined;
  const distance = ({ x, y }: Finger) => Math.max(1, Math.hypot(x - other.x, y - other.y));
  return {
    factor: distance(after) / distance(before),
    x: (after.x + other.x) / 2,
    y: (after.y + other.y) / 2,
  };
}

function scrollAtEdge(area: HTMLElement, clientX: number, clientY: number): void {
  const { left, right, top, bottom } = area.getBoundingClientRect();
  const towards = (at: number, start: number, end: number) =>
    at < start + EDGE_PX ? -EDGE_STEP_PX : at > end - EDGE_PX ? EDGE_STEP_PX : 0;
  area.scrollBy(towards(clientX, left, right), towards(clientY, top, bottom));
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

function isOnScrollbar({ target, currentTarget, offsetX, offsetY }: PointerEvent): boolean {
  if (target !== currentTarget || !(target instanceof HTMLElement)) return false;
  return offsetX > target.clientWidth || offsetY > target.clientHeight;
}

function useSpaceKey() {
  const isDown = useRef(false);
  useLayoutEffect(() => {
    const controller = new AbortController();
    const options = { signal: controller.signal, capture: true };
    const follow = (event: KeyboardEvent) => {
      if (event.key === " ") isDown.current = event.type === "keydown";
    };
    addEventListener("keydown", follow, options);
    addEventListener("keyup", follow, options);
    addEventListener("blur", () => (isDown.current = false), options);
    return () => controller.abort();
  }, []);
  return isDown;
}
