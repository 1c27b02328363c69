/**
 * First script of a preview with scripts. Removes what no content security policy covers: WebRTC, and
 * elements with child documents, which can navigate and would have a WebRTC of their own; elements that can
 * make the browser look up a name or connect; and elements that navigate the document. Reports to the page
 * around the frame what the policy blocked.
 *
 * A script can still navigate its own frame (`location`, links). The `navigate` event cannot forbid it: the
 * event is not sent in a document with an opaque origin
 * (https://html.spec.whatwg.org/multipage/nav-history-apis.html#has-entries-and-events-disabled).
 */

/** Names of the elements that a script cannot make. */
export const FORBIDDEN_ELEMENTS = [
  ...["iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe"],
  ...["link", "meta", "base"],
];

/** Returns the text of the script. */
export function guardScript(): string {
  return `(${guard.toString()})(${JSON.stringify(FORBIDDEN_ELEMENTS.join("|"))})`;
}

interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: Readonly<Record<string, (text: string) => string | null>>,
  ): unknown;
}

/** Runs in the frame, so it uses nothing from this file. */
function guard(names: string): void {
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
  // Made of constant names.
  const elements = new RegExp(`<((?:[^\\s<>/:]+:)?)(${names})(?![^\\s<>/])`, "gi");
  const clean = (html: string) =>
    html
      .replace(/srcdoc/gi, "data-document")
      .replace(elements, "<$1data-$2")
      .replace(/<!ENTITY/gi, "<!removed");
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypesFactory };
  const rules = {
    createHTML: (html: string, _type?: string, sink?: string) =>
      sink !== undefined && /srcdoc/i.test(sink) ? "" : clean(html),
    // The result of a javascript: address would be a document without this script.
    createScript: (text: string, _type?: string, sink?: string) =>
      sink !== undefined && /location/i.test(sink) ? null : text,
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
  // Made of constant names.
  const forbidden = new RegExp(`^(?:${names})$`);
  const test: unknown = Reflect.get(RegExp.prototype, "test");
  const createElement: unknown = Reflect.get(Document.prototype, "createElement");
  for (const name of ["createElement", "createElementNS"]) {
    replace(Document.prototype, name, (create) => {
      return function (this: Document, ...values) {
        const element = apply(create, this, values);
        const own = apply(readLocalName, element, []) as string;
        return apply(test, forbidden, [own])
          ? apply(createElement, this, [`data-${own}`])
          : element;
      };
    });
  }
  const toText: unknown = String;
  // Made of constant names.
  const qualified = new RegExp(`(?:^|:)(?:${names})$`);
  replace(DOMImplementation.prototype, "createDocument", (create) => {
    return function (this: DOMImplementation, namespace: unknown, name: unknown, type: unknown) {
      const text = name === null ? "" : (apply(toText, undefined, [name]) as string);
      return apply(create, this, [
        namespace,
        apply(test, qualified, [text]) ? "" : text,
        type ?? null,
      ]);
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
  // A document that is opened again would end this one.
  Object.defineProperty(Document.prototype, "open", {
    value: () => document,
    writable: false,
    configurable: false,
  });
  const { parent } = globalThis as unknown as Window;
  const post: unknown = Reflect.get(parent, "postMessage");
  const report = (directive: string, address: string) => {
    apply(post, parent, [{ coreChatBlocked: { directive, address } }, "*"]);
  };
  const reportViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) =>
    report(effectiveDirective, blockedURI);
  addEventListener("securitypolicyviolation", reportViolation, { capture: true });
  // What was made harmless asks for nothing, so the policy reports nothing. A script can set the address
  // as an attribute or as a property.
  const valueOf = (element: Element, name: string) =>
    String(element.getAttribute(name) ?? Reflect.get(element, name) ?? "");
  const reportHarmless = (element: Element) => {
    const name = element.localName.replace(/^data-/, "");
    if (name === "link" && /\bstylesheet\b/i.test(valueOf(element, "rel"))) {
      report("style-src", valueOf(element, "href"));
    } else if (name === "object") {
      report("object-src", valueOf(element, "data"));
    } else if (/^(?:iframe|frame|embed)$/.test(name)) {
      report("frame-src", valueOf(element, "src"));
    }
  };
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      for (const element of [node, ...node.querySelectorAll("*")]) reportHarmless(element);
    }
  });
  observer.observe(document, { childList: true, subtree: true });
}
