/** The CommonMark suite as a package: examples read from the specification's text. */
declare module "commonmark-spec" {
  namespace spec {
    interface Test {
      readonly number: number;
      readonly section: string;
      readonly markdown: string;
      readonly html: string;
    }
  }
  const spec: { readonly tests: readonly spec.Test[] };
  export default spec;
}
