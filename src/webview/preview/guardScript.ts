/**
 * First script of a preview with scripts. Removes what no content security policy covers: WebRTC; child
 * documents, which would have a WebRTC of their own; and `link` elements, which can make the browser look
 * up a name or connect.
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
  // HTML has no other spelling of these names; an entity of XML could put them together.
  const clean = (html: string) =>
    html
      .replace(/srcdoc/gi, "data-document")
      .replace(/<((?:[^\s<>/:]+:)?)link/gi, "<$1data-link")
      .replace(/<!ENTITY/gi, "<!removed");
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypesFactory };
  const rules = {
    createHTML: (html: string, _type?: string, sink?: string) =>
      sink !== undefined && /srcdoc/i.test(sink) ? "" : clean(html),
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
  type Method = (this: never, ...values: never[]) => unknown;
  type Apply = (method: unknown, self: unknown, values: readonly unknown[]) => unknown;
  const { apply } = Reflect as unknown as { readonly apply: Apply };
  /** Replaces a method for good; `make` gets the original method. */
  const replace = (owner: object, name: string, make: (original: Method) => Method) => {
    const value = make(Reflect.get(owner, name) as Method);
    Object.defineProperty(owner, name, { value, writable: false, configurable: false });
  };
  const localName = Object.getOwnPropertyDescriptor(Element.prototype, "localName") ?? {};
  const readLocalName: unknown = Reflect.get(localName, "get");
  const isLink = (element: unknown) => apply(readLocalName, element, []) === "link";
  const createElement: unknown = Reflect.get(Document.prototype, "createElement");
  for (const name of ["createElement", "createElementNS"]) {
    replace(Document.prototype, name, (create) => {
      return function (this: Document, ...values) {
        const element = apply(create, this, values);
        return isLink(element) ? apply(createElement, this, ["data-link"]) : element;
      };
    });
  }
  const toText: unknown = String;
  replace(DOMImplementation.prototype, "createDocument", (create) => {
    return function (this: DOMImplementation, namespace: unknown, name: unknown, type: unknown) {
      const text = name === null ? "" : (apply(toText, undefined, [name]) as string);
      return apply(create, this, [namespace, /(?:^|:)link$/.test(text) ? "" : text, type ?? null]);
    };
  });
  // Without the option `extends`, which makes elements of other kinds.
  replace(CustomElementRegistry.prototype, "define", (define) => {
    return function (this: CustomElementRegistry, name: unknown, element: unknown) {
      return apply(define, this, [name, element]);
    };
  });
  // These parse HTML without the rules above.
  for (const owner of [Element.prototype, ShadowRoot.prototype, Document]) {
    for (const name of ["setHTML", "parseHTML"]) Reflect.deleteProperty(owner, name);
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
