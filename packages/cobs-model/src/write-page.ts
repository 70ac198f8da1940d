import { type Page, presentPage } from "./page.ts";

/** Writes a page as JSON in UTF-8: its envelope (COBS PDF 1.2.8.4), and under a name its entries, each as JSON text. */
export function writePage<Entry>(
  page: Page<Entry>,
  name: "accounts" | "transactions",
  write: (entry: Entry) => string,
): Buffer {
  const parts = [`${JSON.stringify(presentPage(page)).slice(0, -1)},"${name}":[`];
  for (const entry of page.entries) {
    if (parts.length > 1) parts.push(",");
    parts.push(write(entry));
  }
  parts.push("]}");
  return writeUtf8(parts);
}

/**
 * Writes texts one behind the other. Together they would be one text, in which a single letter beyond Latin-1 makes all
 * letters take twice the room and ten times the time to be written: most entries have none.
 */
function writeUtf8(parts: readonly string[]): Buffer {
  let size = 0;
  for (const part of parts) size += Buffer.byteLength(part);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
  return bytes;
}
