import encodeQR from "qr";

/** A QR code as one path of squares, in units of its modules, including the quiet zone (ISO/IEC 18004). */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Draws a text as a QR code. The template writes the markup: nothing of the text gets into it. */
export function presentQrCode(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size: rows.length, path: squares.join("") };
}
