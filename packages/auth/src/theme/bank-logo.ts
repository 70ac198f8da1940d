/** A bank's logo, read at start. */
export interface BankLogo {
  readonly kind: "svg" | "png";
  readonly bytes: Buffer;
}

const MOST_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** An XML declaration and comments may come first. A document type may not, because nothing here needs entities. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:[^-]|-[^-])*-->\s*)*<svg[\s/>]/;

/**
 * Reads the file of a logo, SVG or PNG by its content. This check ignores what an SVG might do: the pages show it as an image, in
 * which browsers run no script, and serve it under a policy of its own, under which they load nothing.
 */
export function parseBankLogo(bytes: Buffer): BankLogo {
  if (bytes.length > MOST_BYTES)
    throw new Error(`has ${bytes.length} bytes; at most ${MOST_BYTES} are allowed`);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { kind: "png", bytes };
  if (SVG_START.test(bytes.toString("utf8"))) return { kind: "svg", bytes };
  throw new Error("must be an SVG or PNG file");
}
