/** Generates PDFs for tests: pages of the same size with a large text each. */

/** Encryption with an unknown password. */
const ENCRYPTION =
  `/ID [<${"00".repeat(16)}> <${"00".repeat(16)}>] ` +
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${"01".repeat(32)}> /U <${"02".repeat(32)}> >>`;

/**
 * Returns a PDF whose pages show "Page N" and a line of small print in a font that is not embedded.
 *
 * @param note more small print, 200 points below the upper edge
 */
export function madePdf(pageCount: number, isProtected = false, note = ""): Buffer {
  const [widthPt, heightPt] = [595, 842];
  const objects: string[] = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const pageIds = Array.from({ length: pageCount }, (_, index) => 4 + index * 2);
  objects.push(
    `<< /Type /Pages /Count ${pageCount} /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  );
  for (const [index, id] of pageIds.entries()) {
    const drawn =
      `BT /F1 48 Tf 40 ${heightPt - 100} Td (Page ${index + 1}) Tj ET ` +
      `BT /F1 8 Tf 40 ${heightPt - 140} Td (Small print of page ${index + 1}: 0123456789) Tj ET ` +
      (note === "" ? "" : `BT /F1 12 Tf 40 ${heightPt - 200} Td (${note}) Tj ET `) +
      `1 0 0 rg 40 40 100 100 re f`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${widthPt} ${heightPt}] ` +
        `/Resources << /Font << /F1 3 0 R >> >> /Contents ${id + 1} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    );
  }
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(at).padStart(10, "0");
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += offsets.map((offset) => `${offset} 00000 n \n`).join("");
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R ${isProtected ? ENCRYPTION : ""} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}
