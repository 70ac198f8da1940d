import type { Fault } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import { readSingleHeader } from "./read-single-header.ts";

/** The bank's choices for headers that the standard leaves open. */
export interface HeaderRules {
  /** Whether a call without `TPP-Name` is answered. */
  readonly tppName: "optional" | "required";
  /** How a call without `User-Involved` is treated. */
  readonly absentUserInvolved: "present" | "unattended";
}

/** The content of a call's headers, the same for every resource (COBS 3.1.3; COBS OpenAPI). */
export interface CobsHeaders {
  /** Whether the PSU is away. */
  readonly unattended: boolean;
  /** The TPP on whose behalf the call is made, as the caller names it: only for the log, and not proven. */
  readonly originalTpp: Readonly<Record<"tppName" | "tppIdentification", string | undefined>>;
  readonly faults: readonly Fault[];
}

const MAX_LOGGED_CHARACTERS = 70;

/**
 * Reads the headers of COBS 3.1.3 and of its OpenAPI that have an effect here; all others are accepted unread. Adds
 * PARAMETER_INVALID for a `User-Involved` that is neither true nor false, for a missing `TPP-Name` where it is required, and
 * for each header that came more than once.
 */
export function readCobsHeaders(call: IncomingCall, rules: HeaderRules): CobsHeaders {
  const faults: Fault[] = [];
  const involved = readSingleHeader(call, "User-Involved", faults)?.trim().toLowerCase();
  const tppName = readText(call, "TPP-Name", faults);
  const tppIdentification = readText(call, "TPP-Identification", faults);
  if (involved !== undefined && involved !== "true" && involved !== "false")
    faults.push(invalid("User-Involved", "must be true or false"));
  const isTold = faults.some(({ path }) => path === "TPP-Name");
  if (tppName === undefined && rules.tppName === "required" && !isTold)
    faults.push(invalid("TPP-Name", "is missing; it must name the TPP that makes the request"));
  const unattended =
    involved === undefined ? rules.absentUserInvolved === "unattended" : involved === "false";
  return { unattended, originalTpp: { tppName, tppIdentification }, faults };
}

/**
 * Reads a text of the caller, in UTF-8 (COBS 3.1.3), cut and without characters that could be mistaken for something else in
 * a log.
 */
function readText(call: IncomingCall, name: string, faults: Fault[]): string | undefined {
  const sent = readSingleHeader(call, name, faults);
  if (sent === undefined) return undefined;
  const text = Buffer.from(sent, "latin1").toString("utf8");
  const clean = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, " ").trim();
  return clean === "" ? undefined : [...clean].slice(0, MAX_LOGGED_CHARACTERS).join("");
}

function invalid(path: string, what: string): Fault {
  return { code: "PARAMETER_INVALID", path, message: `${path} ${what}` };
}
