import { expect } from "chai";
import { FORGED_NAMES, forgedValues } from "./forged-headers.ts";
import type { RawAnswer } from "./raw-https.ts";

/** A route to a service: how a caller calls over one connection, and what the service's log then says. */
export interface WayToService {
  /** Calls with a correct certificate, or none, and with headers that the caller adds. */
  call(shown: boolean, headers: Readonly<Record<string, string>>): Promise<RawAnswer>;
  lastCall(): Record<string, unknown>;
  /** Identifier of the TPP whose certificate the connection presents. */
  readonly organisationIdentifier: string;
}

/**
 * Sends another TPP's certificate under every header name and in every encoding, with a correct certificate and without one:
 * the answer always follows the certificate of the connection, and is 401 without one.
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

/** The TPP in a log line, which the two services name differently. */
function callerIn(line: Record<string, unknown>): unknown {
  return line.tpp ?? line.organisationIdentifier;
}
