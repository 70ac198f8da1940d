import { type Page, presentPage } from "./page.ts";

/**
 * Writes a page as JSON: its envelope (COBS PDF 1.2.8.4), and under a name its entries, each as JSON text. A text where all
 * of it is ASCII, which Node.js writes together with the headers; else UTF-8.
 */
export function writePage<Entry>(
  page: Page<Entry>,
  name: "accounts" | "transactions",
  write: (entry: Entry) => string,
): string | Buffer {
  const parts = [`${JSON.stringify(presentPage(page)).slice(0, -1)},"${name}":[`];
  for (const entry of page.entries) {
    if (parts.length > 1) parts.push(",");
    parts.push(write(entry));
  }
  parts.push("]}");
  return writeInTurn(parts);
}

/**
 * Writes texts one behind the other. Together they would be one text, in which a single letter beyond Latin-1 makes all
 * letters take twice the room and ten times the time to be written: most entries have none. Where all are ASCII there is
 * none, and no octets need to be made.
 */
function writeInTurn(parts: readonly string[]): string | Buffer {
  let [size, letters] = [0, 0];
  for (const part of parts) {
    size += Buffer.byteLength(part);
    letters += part.length;
  }
  if (size === letters) return parts.join("");
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
  return bytes;
}
