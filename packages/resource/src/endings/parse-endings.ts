import {
  type CertificateThumbprint,
  parseCertificateThumbprint,
  parseOrganisationIdentifier,
} from "@cobs/psd2-certificates";
import type { JsonObject } from "@cobs/service-edge";
import { listIn, membersOf, readMembers, textIn } from "../auth-answers/members-of.ts";
import type { Beginning, Ending, EndingBatch, Place, PositionedEnding } from "./ending.ts";
import { EndingsRefusal } from "./endings-refusal.ts";

/** Reads `{ position, mark, organisationIdentifiers, thumbprints }`; refuses with `stop_list_malformed`. */
export function parseBeginning(text: string): Beginning {
  return readMembers(text, [EndingsRefusal, "stop_list_malformed"], (members) => ({
    ...parsePlace(members),
    blocked: {
      organisationIdentifiers: new Set(
        listIn(members, "organisationIdentifiers").map(parseOrganisationIdentifier),
      ),
      thumbprints: new Set(listIn(members, "thumbprints").map(parseThumbprint)),
    },
  }));
}

/** Reads `{ head, events: [{ position, mark, kind, key }] }`; refuses with `events_malformed`. */
export function parseEndings(text: string): EndingBatch {
  return readMembers(text, [EndingsRefusal, "events_malformed"], (members) => ({
    head: parsePosition(members, "head"),
    endings: listIn(members, "events").map(parsePositioned),
  }));
}

/** Parses a position from a header; undefined when it is not one. */
export function parsePositionHeader(text: string | undefined): number | undefined {
  return text !== undefined && /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
}

function parsePositioned(value: unknown): PositionedEnding {
  const members = membersOf(value, "an event");
  return { ...parsePlace(members), ending: parseEnding(members.kind, textIn(members, "key")) };
}

function parsePlace(members: JsonObject): Place {
  const { mark } = members;
  if (mark !== undefined && typeof mark !== "string") throw new TypeError("mark is not a text");
  return { position: parsePosition(members, "position"), mark };
}

function parseEnding(kind: unknown, key: string): Ending {
  switch (kind) {
    case "token":
      return { kind, hash: key };
    case "payment_consent":
      return { kind, ...parsePayer(key) };
    case "consent":
    case "card_consent":
    case "application":
    case "psu_blocked":
      return { kind, id: key };
    case "tpp_blocked":
    case "tpp_released":
      return { kind, organisationIdentifier: parseOrganisationIdentifier(key) };
    case "certificate_blocked":
    case "certificate_released":
      return { kind, thumbprint: parseThumbprint(key) };
    case "signing_key_dropped":
      return { kind, kid: key };
    case "signing_approved":
    case "signing_refused":
    case "signing_expired":
      return { kind, request: key };
    default:
      return { kind: "unknown" };
  }
}

/** Splits the key at its first space: an application id contains none. */
function parsePayer(key: string): { readonly applicationId: string; readonly psu: string } {
  const space = key.indexOf(" ");
  if (space < 1) throw new TypeError("key does not name an application and a PSU");
  return { applicationId: key.slice(0, space), psu: key.slice(space + 1) };
}

function parsePosition(members: JsonObject, name: string): number {
  const value = members[name];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`${name} is not a whole number from 0`);
}

function parseThumbprint(value: unknown): CertificateThumbprint {
  const thumbprint = parseCertificateThumbprint(value);
  if (thumbprint === undefined) throw new TypeError("a thumbprint is not a SHA-256 in base64url");
  return thumbprint;
}
