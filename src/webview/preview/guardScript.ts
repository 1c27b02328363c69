/**
 * First script of a preview with scripts. Removes WebRTC, which no content security policy covers, and
 * child documents, which would have a WebRTC of their own.
 */

/** Returns the text of the script. */
export function guardScript(): string {
  return `(${guard.toString()})()`;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: Readonly<Record<string, (text: string) => string>>): unknown;
}

/** Runs in the frame, so it uses nothing from this file. */
function guard(): void {
  const lock = (prototype: object, key: PropertyKey) => {
    const isGetter = Object.getOwnPropertyDescriptor(prototype, key)?.get !== undefined;
    const constant = isGetter ? {} : { writable: false };
    Object.defineProperty(prototype, key, { ...constant, configurable: false });
  };
  const realm = globalThis as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(realm)) {
    // XSLT can put together the name of an attribute that the policy below does not see.
    if (/RTC|^XSLTProcessor$|^WebTransport$/.test(name)) Reflect.deleteProperty(realm, name);
  }
  // The rules below use these; a page that replaced them would replace the rules.
  for (const key of Reflect.ownKeys(RegExp.prototype)) lock(RegExp.prototype, key);
  lock(String.prototype, "replace");
  // An attribute of this name has it as written; HTML has no other spelling.
  const withoutDocuments = (html: string) => html.replace(/srcdoc/gi, "data-document");
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypesFactory };
  const rules = {
    createHTML: (html: string, _type?: string, sink?: string) =>
      sink !== undefined && /srcdoc/i.test(sink) ? "" : withoutDocuments(html),
    createScript: (text: string) => text,
    createScriptURL: (url: string) => url,
  };
  trustedTypes?.createPolicy("default", rules);
  // Libraries make policies of their own, which the browser would refuse. Theirs and the default policy
  // must not give trusted text, which would pass the rules above: each text is checked where it is used.
  const unchecked = {
    createHTML: (html: unknown) => String(html),
    createScript: (text: unknown) => String(text),
    createScriptURL: (url: unknown) => String(url),
  };
  const factory: unknown = trustedTypes && Object.getPrototypeOf(trustedTypes);
  if (factory !== undefined) {
    const createPolicy = (name: string) => ({ name, ...unchecked });
    Object.defineProperty(factory, "createPolicy", { value: createPolicy, writable: false });
    Object.defineProperty(factory, "defaultPolicy", { get: () => null, configurable: false });
  }
  // Pieces of HTML from several calls could join to an attribute.
  const write = (...texts: unknown[]) => {
    const { body } = document as { readonly body: HTMLElement | null };
    (body ?? document.documentElement).insertAdjacentHTML("beforeend", texts.join(""));
  };
  for (const name of ["write", "writeln"]) {
    Object.defineProperty(Document.prototype, name, { value: write, writable: false });
  }
}
