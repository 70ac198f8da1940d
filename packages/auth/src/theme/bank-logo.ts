/** A bank's logo: bytes that were read at the start. */
export interface BankLogo {
  readonly kind: "svg" | "png";
  readonly bytes: Buffer;
}

const MOST_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** An XML declaration and comments may come first; a document type may not: nothing here needs entities. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:[^-]|-[^-])*-->\s*)*<svg[\s/>]/;

/**
 * Reads the file of a logo, SVG or PNG by its content. What an SVG may do is no matter of this check: it is shown as an
 * image, where browsers run no script, and served under a policy of its own, where they load nothing.
 */
export function parseBankLogo(bytes: Buffer): BankLogo {
  if (bytes.length > MOST_BYTES) throw new Error(`has ${bytes.length} bytes, and ${MOST_BYTES} are the most`);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { kind: "png", bytes };
  if (SVG_START.test(bytes.toString("utf8"))) return { kind: "svg", bytes };
  throw new Error("must be an SVG or a PNG");
}
