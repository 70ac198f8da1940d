/**
 * What an operator orders through the bank listener or the command. This folder owns how orders are read and how blocks
 * are shown, and the command; it does not own what a block does (`src/tpp/stop-list.ts`) nor statuses (`src/http`).
 */
import {
  CertificateRefusal,
  parseCertificateThumbprint,
  parseOrganisationIdentifier,
} from "@cobs/psd2-certificates";
import type { StopListKey } from "../tpp/stop-list.ts";
import { OperatorRefusal } from "./operator-refusal.ts";

/** A block as it is ordered; who orders it is known from the certificate. */
export type BlockOrder = StopListKey & { readonly reason: string };

const MEMBERS = ["organisationIdentifier", "thumbprint", "reason"];
/** One line of 1 to 500 characters that can be seen. */
const REASON = /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u;

function refuse(faults: readonly string[]): never {
  throw new OperatorRefusal("order_malformed", faults.join("; "));
}

function readOrganisation(text: unknown): StopListKey | string {
  try {
    return { kind: "organisation", key: parseOrganisationIdentifier(text) };
  } catch (error) {
    if (!(error instanceof CertificateRefusal)) throw error;
    return "organisationIdentifier must be of the form PSDcc-AUTHORITY-number";
  }
}

function readCertificate(text: unknown): StopListKey | string {
  const key = parseCertificateThumbprint(text);
  if (key !== undefined) return { kind: "certificate", key };
  return "thumbprint must be the SHA-256 of the certificate in base64url, 43 characters (x5t#S256)";
}

function readKey(members: Readonly<Record<string, unknown>>): StopListKey | string {
  const { organisationIdentifier, thumbprint } = members;
  if ((organisationIdentifier === undefined) === (thumbprint === undefined))
    return "exactly one of organisationIdentifier and thumbprint must be given";
  return thumbprint === undefined ? readOrganisation(organisationIdentifier) : readCertificate(thumbprint);
}

/** Reads the body of an order to block; a member that is not known refuses it. Refuses with `order_malformed`. */
export function parseBlockOrder(body: unknown): BlockOrder {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    refuse(["the body must be an object"]);
  const members: Readonly<Record<string, unknown>> = { ...body };
  const unknown = Object.keys(members).filter((name) => !MEMBERS.includes(name));
  const faults = unknown.map((name) => `${name.slice(0, 50)} is not known`);
  const key = readKey(members);
  if (typeof key === "string") faults.push(key);
  const { reason } = members;
  const isReason = typeof reason === "string" && REASON.test(reason);
  if (!isReason) faults.push("reason must be 1 to 500 printable characters");
  if (faults.length > 0 || typeof key === "string" || !isReason) refuse(faults);
  return { ...key, reason };
}

/** Reads the kind and the key in the path of an order to release. Refuses with `order_malformed`. */
export function parseStopListKey(kind: StopListKey["kind"], text: string | undefined): StopListKey {
  const key = kind === "organisation" ? readOrganisation(text) : readCertificate(text);
  return typeof key === "string" ? refuse([key]) : key;
}
