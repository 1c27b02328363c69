/** Examples of the CommonMark specification, as a package. */
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
