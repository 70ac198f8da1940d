import type { KeyObject } from "node:crypto";
import { basicConstraints } from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  attribute,
  authorityPlan,
  extension,
  issue,
  keyOf,
  oids,
  printableString,
} from "../../psd2-certificates/certificate-builder.ts";

const UNIT = "2.5.4.11";

/** A maker's certificate for attestations, with its key: correct in every member that is prescribed (Web Authentication 8.2.1). */
export function makerOfAuthenticators(): { readonly key: KeyObject; readonly der: Uint8Array } {
  const key = keyOf("P-256", "maker");
  const subject = [
    attribute(oids.country, printableString("CZ")),
    attribute(oids.organisation, printableString("Maker")),
    attribute(UNIT, printableString("Authenticator Attestation")),
    attribute(oids.commonName, printableString("Attestation")),
  ];
  const extensions = [extension(basicConstraints(false))];
  return { key, der: issue(authorityPlan("maker", { subject, extensions, key })).der };
}
