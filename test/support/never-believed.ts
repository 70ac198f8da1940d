import { expect } from "chai";
import { FORGED_NAMES, forgedValues } from "./forged-headers.ts";
import type { RawAnswer } from "./raw-https.ts";

/** A way to a service: how a caller with one connection calls it, and what the service's log then says. */
export interface WayToService {
  /** Calls with a right certificate, or none, and headers of the caller's own. */
  call(shown: boolean, headers: Readonly<Record<string, string>>): Promise<RawAnswer>;
  lastCall(): Record<string, unknown>;
  /** The TPP whose certificate the connection shows. */
  readonly organisationIdentifier: string;
}

/**
 * Hands another TPP's certificate in under every name and in every way of writing, beside a right certificate and without
 * one: the answer is always for the certificate of the connection, 401 without.
 */
export async function expectNeverBelieved(way: WayToService, stolen: Buffer): Promise<void> {
  for (const name of FORGED_NAMES)
    for (const [written, value] of Object.entries(forgedValues(stolen))) {
      const forged = `${name} as ${written}`;
      expect((await way.call(true, { [name]: value })).status, forged).to.equal(200);
      expect(callerIn(way.lastCall()), forged).to.equal(way.organisationIdentifier);
      expect((await way.call(false, { [name]: value })).status, forged).to.equal(401);
      expect(way.lastCall(), forged).to.include({ refusal: "certificate_absent" });
      expect(callerIn(way.lastCall()), forged).to.equal(undefined);
    }
}

/** The two services name the TPP of a call in their own words. */
function callerIn(line: Record<string, unknown>): unknown {
  return line.tpp ?? line.organisationIdentifier;
}
