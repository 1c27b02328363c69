/**
 * Autolinks as on GitHub: http, https, www and e-mail; "main.rs" stays a file name. linkify-it
 * finds the addresses; this file applies GitHub's rule for their ends, which excludes trailing
 * punctuation. Rule: https://github.github.com/gfm/#autolinks-extension-
 */
import type { MarkdownIt, Token } from "markdown-it";
import { CJK } from "./emphasis";

/** Maximum length of text that is checked after an address, in UTF-16 units. */
const MAX_REST_LENGTH = 2_000;

/** Returns the length of an address without trailing punctuation of its sentence. */
function addressLength(address: string): number {
  let length = address.length;
  let surplus = 0;
  for (const character of address) {
    if (character === ")") surplus++;
    else if (character === "(") surplus--;
  }
  for (;;) {
    const last = address[length - 1] ?? "";
    if (last === ")" && surplus > 0) {
      surplus--;
      length--;
    } else if (last === ";") {
      const reference = /&[a-z0-9]{1,31};$/i.exec(
        address.slice(Math.max(0, length - 33), length),
      )?.[0];
      length -= reference?.length ?? 1;
    } else if (last !== "" && "?!.,:*_~'\"".includes(last)) length--;
    else return length;
  }
}

interface FoundAddress {
  readonly schema: string;
  readonly index: number;
  lastIndex: number;
  raw: string;
  text: string;
  url: string;
}

/** Sets the end of an address in `text`; returns false if no address remains. */
function trimAddress(found: FoundAddress, text: string): boolean {
  if (found.schema === "mailto:")
    return isMailAddress(found.raw, text.slice(found.lastIndex, found.lastIndex + 2));
  let address = found.raw;
  const end = address.search(CJK);
  // Letters directly after another script are the sentence around; after a slash they are the address.
  if (/[a-z0-9]/i.test(address.charAt(end - 1))) address = address.slice(0, end);
  const after = text.slice(found.lastIndex, found.lastIndex + MAX_REST_LENGTH);
  // linkify-it stops at an unbalanced bracket and before ";".
  const isWhole = address === found.raw;
  if (isWhole && after.startsWith(")") && address.includes("(")) {
    address += /^[\w.~!$&'()*+,;=:@%/?#-]*/.exec(after)?.[0] ?? "";
  } else if (isWhole && after.startsWith(";")) address += ";";
  address = address.slice(0, addressLength(address));
  found.lastIndex += address.length - found.raw.length;
  const setEnd = (whole: string) => whole.slice(0, whole.length - found.raw.length) + address;
  found.text = setEnd(found.text);
  found.url = setEnd(found.url);
  found.raw = address;
  return /^(?:https?:\/\/|www\.)[^\s/]/i.test(address);
}

/**
 * Checks for an e-mail address as on GitHub: the domain does not end in "-" or "_", and "+" occurs only before
 * the "@". "git@host.com:path" and "name@1.2.3" are none.
 */
function isMailAddress(raw: string, after: string): boolean {
  return (
    /^(?:mailto:)?[^@]+@[^@+]*[^@+_-]$/i.test(raw) &&
    !/\.\d[\w-]{0,60}$/.test(raw) &&
    !/^:\S/.test(after)
  );
}

export function autolinks(md: MarkdownIt): void {
  const { linkify } = md;
  linkify
    .set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false })
    .add("ftp:", null)
    .add("//", null)
    .add("www.", {
      validate: (text, position, self) => {
        const length = self.testSchemaAt(`http://www.${text.slice(position)}`, "http:", 5);
        return Math.max(0, length - "//www.".length);
      },
      normalize: (match) => {
        match.url = `http://${match.url}`;
      },
    });
  const match = linkify.match.bind(linkify);
  linkify.match = (text) => {
    const addresses = match(text);
    let end = 0;
    return (addresses ?? []).filter((one) => {
      if (one.index < end || !trimAddress(one, text)) return false;
      end = one.lastIndex;
      return true;
    });
  };
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.matchAtStart = (text) => {
    const address = matchAtStart(text);
    return address !== null && trimAddress(address, text) ? address : null;
  };
}

/** Decodes character references such as "&amp;" in addresses found in source text. */
export function resolveReferences(md: MarkdownIt, tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type !== "link_open" || token.markup !== "linkify") continue;
    if (text === undefined || !/&[a-z#]/i.test(text.content)) continue;
    text.content = md.utils.unescapeAll(text.content);
    token.attrSet("href", md.utils.unescapeAll(String(token.attrGet("href") ?? "")));
  }
}
