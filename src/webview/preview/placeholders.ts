/** Draws pictures of the web from what their address or their element says of them. */
import { toBase64 } from "../../base/base64";

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  /** Colors of CSS. */
  readonly background?: string | undefined;
  readonly color?: string | undefined;
}

const SIZE = String.raw`(?<width>\d{1,4})(?:x(?<height>\d{1,4}))?`;
const PATH_SIZE = String.raw`(?<width>\d{1,4})(?:/(?<height>\d{1,4}))?`;
const COLORS = String.raw`(?:/(?<background>[a-z\d]{3,20})(?:/(?<color>[a-z\d]{3,20}))?)?`;
const FORMAT = String.raw`(?:[./][a-z]{3,4})?`;

/** A service whose address has the size; a missing height means a square. */
interface Service {
  readonly hosts: RegExp;
  /** Of the path and the query. */
  readonly address: RegExp;
  /** True if the picture has the text of the address, or else its size. */
  readonly hasText?: true;
}

/** The home page of each host documents the addresses. */
const SERVICES: readonly Service[] = [
  ...[
    /^(?:www\.)?(?:placehold\.co|placehold\.it|dummyimage\.com|fakeimg\.pl)$/,
    /^via\.placeholder\.com$/,
  ].map((hosts) => ({
    hosts,
    address: new RegExp(`^/${SIZE}${FORMAT}${COLORS}${FORMAT}/?(?:[?&]|$)`, "i"),
    hasText: true as const,
  })),
  // https://picsum.photos
  {
    hosts: /^(?:fastly\.)?picsum\.photos$/,
    address: new RegExp(`^/(?:id/\\d+/|seed/[^/]+/)?${PATH_SIZE}${FORMAT}(?:\\?|$)`),
  },
  {
    hosts: /^(?:www\.)?(?:placekitten\.com|placebear\.com|placedog\.net|place\.dog|placeimg\.com)$/,
    address: new RegExp(`^/(?:[gc]/)?${PATH_SIZE}(?:[/?]|$)`),
  },
  {
    hosts: /^loremflickr\.com$/,
    address: new RegExp(`^/(?:[gp]/|red/|green/|blue/)?${PATH_SIZE}(?:[/?]|$)`),
  },
  {
    hosts: /^source\.unsplash\.com$/,
    address: /^\/(?:[\w-]+\/){0,2}(?<width>\d{1,4})x(?<height>\d{1,4})(?:[/?]|$)/,
  },
  { hosts: /^i\.pravatar\.cc$/, address: /^\/(?<width>\d{1,4})(?:[/?]|$)/ },
  // https://docs.imgix.com/apis/rendering/size/fit: "crop" gives exactly this size.
  {
    hosts: /^(?:images\.unsplash\.com|images\.pexels\.com)$/,
    address:
      /^(?=[^?]*\?(?:.*&)?fit=crop(?:&|$))(?=.*[?&]w=(?<width>\d{1,4})(?:&|$)).*[?&]h=(?<height>\d{1,4})(?:&|$)/,
  },
];

const BACKGROUND = "#cccccc";
const COLOR = "#666666";

/** Shares of the sides of a picture that its text takes. */
const TEXT_HEIGHT = 0.25;
const TEXT_WIDTH = 0.8;

/** Width of a letter, in font sizes. */
const LETTER_WIDTH = 0.6;

/** Largest font size in pixels. */
const MAX_FONT_PX = 48;

/**
 * Returns what is known of a picture; undefined without its size.
 * @param alt alternative text
 * @param size size of the element, for pictures of which the address says nothing
 */
export function drawingOf(
  url: URL,
  alt: string,
  size?: Pick<Drawing, "width" | "height">,
): Drawing | undefined {
  const path = url.pathname + url.search;
  for (const { hosts, address, hasText } of SERVICES) {
    const { groups } = (hosts.test(url.hostname) && address.exec(path)) || {};
    if (!groups) continue;
    const width = Number(groups["width"]);
    const height = Number(groups["height"] ?? width);
    if (width === 0 || height === 0) continue;
    if (!hasText) return { width, height, text: alt };
    // The query of dummyimage.com can begin with "&".
    const text = new URLSearchParams(/[?&](.*)/.exec(path)?.[1]).get("text");
    return {
      width,
      height,
      text: text ?? `${width} × ${height}`,
      background: colorOf(groups["background"]),
      color: colorOf(groups["color"]),
    };
  }
  return size && { ...size, text: alt };
}

/** Returns a drawing as the address of an SVG picture. */
export function drawnPicture(drawing: Drawing): string {
  const { width, height, text, background = BACKGROUND, color = COLOR } = drawing;
  const lines = text.split(/\n|\\n/);
  const longest = Math.max(1, ...lines.map(({ length }) => length));
  const fontPx = Math.min(
    MAX_FONT_PX,
    (height * TEXT_HEIGHT) / lines.length,
    (width * TEXT_WIDTH) / (longest * LETTER_WIDTH),
  );
  const middle = (index: number) => height / 2 + (index - (lines.length - 1) / 2) * fontPx * 1.2;
  const drawn = lines.map(
    (line, index) =>
      `<text x="50%" y="${middle(index)}" text-anchor="middle" dominant-baseline="central">${xmlText(line)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${background}"/><g fill="${color}" font-family="sans-serif" font-size="${fontPx}">${drawn.join("")}</g></svg>`;
  return `data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(svg))}`;
}

/** Returns a color of an address; undefined for a format such as "png". */
function colorOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return [`#${text}`, text].find((color) => CSS.supports("color", color));
}

function xmlText(text: string): string {
  // XML does not allow these.
  const allowed = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/g, "");
  return allowed.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
