/** Worker that parses PDFs; the library starts to listen as soon as it is loaded. */
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
