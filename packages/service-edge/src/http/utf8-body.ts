import { EdgeRefusal } from "./edge-refusal.ts";

const NOT_UTF_8 = "the body is not UTF-8";
/** Skips the byte order mark that some write before JSON (RFC 8259 section 8.1 lets a reader ignore it). */
const DECODER = new TextDecoder("utf-8", { fatal: true });
const REPLACED = "\ufffd";
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi;

/** Decodes the text of a body (RFC 8259 section 8.1); refuses with `body_malformed` a text that is not UTF-8. */
export function readUtf8(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new EdgeRefusal("body_malformed", NOT_UTF_8);
  }
}

/**
 * Reads the fields of a form (`application/x-www-form-urlencoded`); refuses with `body_malformed` if it is not UTF-8, either
 * as sent or percent-encoded, because a form parser would silently replace such bytes.
 */
export function readUtf8Form(bytes: Uint8Array): URLSearchParams {
  const text = readUtf8(bytes);
  const form = new URLSearchParams(text);
  if (hidesOtherBytes(text, form)) throw new EdgeRefusal("body_malformed", NOT_UTF_8);
  return form;
}

/**
 * Whether percent-encoding in such a text, e.g. a query, encodes bytes that are not UTF-8, which its parser has replaced in
 * `read`.
 */
export function hidesOtherBytes(text: string, read: URLSearchParams): boolean {
  return text.includes("%") && holdsReplaced(read) && !isEncodedUtf8(text);
}

function holdsReplaced(form: URLSearchParams): boolean {
  for (const [name, value] of form) if (name.includes(REPLACED) || value.includes(REPLACED)) return true;
  return false;
}

/** Whether a U+FFFD was itself sent; a percent sign that encodes nothing stands for itself in a form. */
function isEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text.replace(BARE_PERCENT, "%25"));
    return true;
  } catch {
    return false;
  }
}
