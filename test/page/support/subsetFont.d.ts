/** Types that the package lacks: https://github.com/papandreou/subset-font */
declare module "subset-font" {
  /** Resolves to a font with only the glyphs of the text. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { readonly targetFormat: "woff2" },
  ): Promise<Buffer>;
}
