import { type Page, presentPage } from "./page.ts";

/**
 * Writes a page as JSON: its envelope (COBS PDF 1.2.8.4), and under a name its entries, each already JSON text. Returns a text
 * if all of it is ASCII, because Node.js writes that together with the headers; otherwise UTF-8.
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
 * Joins texts. As one text, a single letter beyond Latin-1 would make all letters take twice the memory and ten times as long
 * to write, although most entries have none. If all texts are ASCII, no octets need to be made.
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
