import encodeQR from "qr";

/** A QR code as one path of squares, in units of its modules, the quiet zone included (ISO/IEC 18004). */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Draws a text. Markup is left to the template: nothing of the text gets into it. */
export function presentQrCode(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size: rows.length, path: squares.join("") };
}
