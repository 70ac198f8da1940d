import { ForwardedFault } from "./forwarded-certificate.ts";

/**
 * Decodes base64 that has one spelling only (RFC 4648 section 3.5): padded, no space, no bits left over. Two spellings of
 * one certificate would be two to whoever compares them. Refuses with a `ForwardedFault`.
 */
export function decodeCanonicalBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (text === "" || bytes.toString("base64") !== text) throw new ForwardedFault("not canonical base64");
  return bytes;
}
