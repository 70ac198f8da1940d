import { ForwardedFault } from "./forwarded-certificate.ts";

/**
 * Decodes base64 in its only canonical spelling (RFC 4648 section 3.5): padded, no space, no bits left over. Otherwise one
 * certificate could have two spellings, and would look like two when compared. Refuses with a `ForwardedFault`.
 */
export function decodeCanonicalBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (text === "" || bytes.toString("base64") !== text) throw new ForwardedFault("not canonical base64");
  return bytes;
}
