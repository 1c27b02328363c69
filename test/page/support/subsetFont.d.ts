/** What the package does not say of itself: https://github.com/papandreou/subset-font */
declare module "subset-font" {
  /** Resolves to a font with the glyphs of the text alone. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { readonly targetFormat: "woff2" },
  ): Promise<Buffer>;
}
