import { EdgeRefusal, parseStrictJson } from "@cobs/service-edge";
import { base64url, decodeJwt, decodeProtectedHeader, type ProtectedHeaderParameters } from "jose";

const CRITICAL = "the header of the assertion has crit or b64, but no extension is supported";
const KID = "kid in the header of the assertion is not a string";
const STRUCTURE =
  "the assertion repeats a member name, has one named __proto__, or is nested deeper than 32 levels";

/** The header as the provider reads it; undefined when it refuses the assertion as unreadable. */
function findHeader(assertion: string): ProtectedHeaderParameters | undefined {
  try {
    decodeJwt(assertion);
    return decodeProtectedHeader(assertion);
  } catch {
    return undefined;
  }
}

function isStrict(part: string): boolean {
  try {
    parseStrictJson(new TextDecoder().decode(base64url.decode(part)));
    return true;
  } catch (error) {
    if (error instanceof EdgeRefusal) return false;
    throw error;
  }
}

/** RFC 7797 section 7: a JWT never has b64 false. RFC 7515 4.1.4, 4.1.11: kid is a string, crit names what must be understood. */
function findInHeader(header: ProtectedHeaderParameters): string | undefined {
  if (header.crit !== undefined || header.b64 !== undefined) return CRITICAL;
  return header.kid === undefined || typeof header.kid === "string" ? undefined : KID;
}

/**
 * Describes what two readers of a client assertion would understand differently (RFC 8725 section 2.4), or what the provider
 * fails at instead of refusing it. Nothing is verified yet: the text tells the sender nothing but what was sent. Undefined when
 * there is nothing of the kind, or the assertion is unreadable.
 */
export function findAmbiguity(assertion: string): string | undefined {
  const header = findHeader(assertion);
  if (header === undefined) return undefined;
  return assertion.split(".").slice(0, 2).every(isStrict) ? findInHeader(header) : STRUCTURE;
}
