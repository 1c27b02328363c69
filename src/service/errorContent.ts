/**
 * Reads an error of any service in one bounded walk: its texts, codes and the paths of the fields it
 * is about. Gateways quote the errors of others, and services list one error for each field.
 */
import { parseJson } from "../base/parseJson";
import { isWebPage, textOfPage } from "./plainText";

/** Fields with the text of an error, the best first; some have an object with the text. */
const TEXT_FIELDS = [
  "message",
  "msg",
  "detail",
  "error_description",
  "error_msg",
  "error_message",
  "status_msg",
  "base_resp", // MiniMax
  "error",
  "errors", // problem details of ASP.NET, JSON:API
  "description", // Google's field violations
] as const;

/** Fields with further errors only. */
const INNER_FIELDS = [
  "details", // Google, Azure OpenAI
  "fieldViolations", // Google
  "violations", // Google
  "innererror", // Azure OpenAI
  "metadata", // OpenRouter
  "raw", // OpenRouter: the error of the provider, as text
  "cause",
] as const;

/** Fields with a word or number for the error, for an error without a text. */
const LABEL_FIELDS = ["title", "reason", "type", "code", "error_code", "status"] as const;

/** Fields with the path of the request's field: OpenAI, FastAPI, Google, OData, JSON:API. */
const PATH_FIELDS = ["param", "loc", "field", "target", "source"] as const;

/** Upper limits of the walk. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 8;
const MAX_ERRORS = 40;

export interface ErrorContent {
  /** Texts of this error, the best first. */
  readonly texts: readonly string[];
  /** Words and numbers for this error, the best first. */
  readonly labels: readonly string[];
  /** Path of the field of the request; empty without one. */
  readonly path: string;
  /** Tokens that the model reads at most, of llama.cpp. */
  readonly limitTokens: string | undefined;
  readonly inner: readonly ErrorContent[];
}

const NOTHING: ErrorContent = {
  texts: [],
  labels: [],
  path: "",
  limitTokens: undefined,
  inner: [],
};

/** Reads an error: text, JSON in a text, or a JSON value. */
export function errorContent(error: unknown): ErrorContent {
  return readError(error, { errors: MAX_ERRORS }, MAX_DEPTH, "");
}

export function allErrors(error: ErrorContent): readonly ErrorContent[] {
  return [error, ...error.inner.flatMap(allErrors)];
}

/** Returns the text of an error and of those in it, with the paths of their fields. */
export function errorText(error: ErrorContent): string | undefined {
  const text = textOf(error);
  return text === "" ? labelIn(error) : text;
}

function labelIn({ labels, inner }: ErrorContent): string | undefined {
  return inner.map(labelIn).find((label) => label !== undefined) ?? labels[0];
}

function textOf({ texts, labels, path, inner }: ErrorContent): string {
  const [text = ""] = texts;
  const isIn = (part: string, whole: string) => whole.toLowerCase().includes(part.toLowerCase());
  const details = inner.map(textOf).filter((detail) => detail !== "" && !isIn(detail, text));
  const isPathShown = path !== "" && !labels.includes(path) && !isNamedIn(text, path);
  const outer = isPathShown && text !== "" ? `${path}: ${text}` : text;
  const joined = [...new Set(details)].join("; ");
  if (joined === "" || outer === "") return outer + joined;
  return isIn(text, joined) ? joined : `${outer.replace(/[.:]$/, "")}: ${joined}`;
}

/** Returns true if a text has the field's name as a word. */
function isNamedIn(text: string, path: string): boolean {
  const name = path.replace(/^(?:body\.|\$\.|\/)/, "").toLowerCase();
  return text
    .toLowerCase()
    .split(/[^\w.[\]$/-]+|\.(?:\s|$)/)
    .includes(name);
}

/** @param path field of the request that the value is about */
function readError(
  value: unknown,
  left: { errors: number },
  depth: number,
  path: string,
): ErrorContent {
  if (value === undefined || value === null) return NOTHING;
  if (depth === 0 || left.errors-- <= 0) return NOTHING;
  if (typeof value === "number") return { ...NOTHING, labels: [String(value)] };
  if (typeof value === "string") {
    const text = value.trim();
    const quoted = /^[{["]/.test(text) ? parseJson(text) : undefined;
    if (quoted !== undefined) return readError(quoted, left, depth - 1, path);
    const shown = isWebPage(text) ? textOfPage(text).trim() : text;
    return { ...NOTHING, texts: shown === "" ? [] : [shown], path };
  }
  if (typeof value !== "object") return NOTHING;
  const readInner = (item: unknown, itemPath = "") => readError(item, left, depth - 1, itemPath);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => readInner(item, path));
    return { ...NOTHING, inner: items.filter(hasContent) };
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts: string[] = [];
  const inner: ErrorContent[] = [];
  for (const name of [...TEXT_FIELDS, ...INNER_FIELDS]) {
    const field = fields.get(name);
    const error = name === "errors" ? readInner(withPaths(field)) : readInner(field);
    const isText = typeof field === "string" && error.inner.length === 0 && name !== "raw";
    if (isText) texts.push(...error.texts);
    else if (hasContent(error)) inner.push(error);
  }
  const labels = LABEL_FIELDS.flatMap((name) => labelOf(fields.get(name)));
  if (texts.length + labels.length + inner.length === 0) {
    // Django and others: a list of texts for each field of the request.
    const lists = [...fields].filter(([, item]) => isTextList(item)).slice(0, MAX_ITEMS);
    return { ...NOTHING, inner: lists.map(([name, list]) => readInner(list, name)) };
  }
  const paths = PATH_FIELDS.map((name) => pathOf(name, fields.get(name)));
  const [limitTokens] = labelOf(fields.get("n_ctx"));
  return { texts, labels, path: paths.find((name) => name !== "") ?? path, limitTokens, inner };
}

/** Returns errors by the names of fields as lists; other values as they are. */
function withPaths(errors: unknown): unknown {
  if (typeof errors !== "object" || errors === null || Array.isArray(errors)) return errors;
  const entries = Object.entries(errors);
  const isByField = !entries.some(([name]) => (TEXT_FIELDS as readonly string[]).includes(name));
  if (!isByField) return errors;
  return Object.fromEntries(
    entries.map(([name, item]) => [name, Array.isArray(item) ? (item as unknown) : [item]]),
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function hasContent({ texts, labels, inner }: ErrorContent): boolean {
  return texts.length + labels.length + inner.length > 0;
}

function labelOf(value: unknown): string[] {
  const isLabel = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isLabel ? [String(value).slice(0, 200)] : [];
}

/** Returns a path that is text, a list of names, or an object with a pointer. */
function pathOf(field: (typeof PATH_FIELDS)[number], value: unknown): string {
  if (Array.isArray(value)) return pathOf("loc", value.slice(0, MAX_ITEMS).join("."));
  if (typeof value === "object" && value !== null)
    return "pointer" in value ? pathOf("loc", value.pointer) : "";
  const path = typeof value === "string" && field !== "source" ? value.trim() : "";
  const isPath = /^[\w$/][\w$.[\]/-]{0,199}$/.test(path) && !/^(?:none|null)$/i.test(path);
  return isPath ? path : "";
}
