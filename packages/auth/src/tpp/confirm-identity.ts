import type { PresentedCertificate, TppIdentity } from "@cobs/psd2-certificates";
import {
  compareReadings,
  type SecondOpinion,
  type SecondReader,
  type SecondReading,
} from "@cobs/psd2-certificates/second-reader";
import type { IncomingCall, Log } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import type { NoteRefusals } from "./note-refusals.ts";
import { TppRefusal, type TppRefusalCode } from "./tpp-refusal.ts";

/** Effect of the second reader's disagreement, and its time limit. */
export interface SecondReaderSettings {
  readonly mode: "refuse" | "warn" | "off";
  readonly deadlineMilliseconds: number;
  /** Path of another library than `x509.js`; no variable sets it. */
  readonly library?: string;
}

/**
 * Asks a second, independent reader whether a verified certificate belongs to this TPP. Refuses with `second_reader_disagrees` or
 * `second_reader_failed`.
 */
export type ConfirmIdentity = (call: IncomingCall, tpp: TppIdentity) => Promise<void>;

/** Parts that the confirmation at registration needs. */
export interface ConfirmationParts {
  readonly reader: Pick<SecondReader, "read">;
  readonly mode: "refuse" | "warn";
  readonly noteRefusals: NoteRefusals;
  readonly log: Log;
}

const MAX_REMEMBERED = 1_000;
/** A certificate can fail the reader only once in this time; afterwards the cause may have passed. */
const REMEMBERED_MILLISECONDS = 60_000;

const REFUSAL_OF: Readonly<Record<"differ" | "failed", TppRefusalCode>> = {
  differ: "second_reader_disagrees",
  failed: "second_reader_failed",
};

/** Reads a certificate once for all registrations that wait for it or follow soon. */
function readOnce(reader: ConfirmationParts["reader"]) {
  const readings = new LRUCache<string, Promise<SecondReading>>({
    max: MAX_REMEMBERED,
    ttl: REMEMBERED_MILLISECONDS,
  });
  return ({ der }: PresentedCertificate, { thumbprint }: TppIdentity): Promise<SecondReading> => {
    const known = readings.get(thumbprint);
    if (known !== undefined) return known;
    const reading = reader.read(der);
    readings.set(thumbprint, reading);
    return reading;
  };
}

/**
 * Creates the confirmation at registration. A certificate that the reader cannot represent gives no second opinion: it is logged
 * and accepted.
 */
export function createIdentityConfirmation(parts: ConfirmationParts): ConfirmIdentity {
  const read = readOnce(parts.reader);
  const confirm = async ({ presentedCertificate: presented }: IncomingCall, tpp: TppIdentity) => {
    if (presented === undefined) throw new TypeError("a registration is confirmed without a certificate");
    decide(parts, tpp, compareReadings(tpp.organisationIdentifier, await read(presented, tpp)));
  };
  return (call, tpp) => parts.noteRefusals(call, () => confirm(call, tpp));
}

function decide(
  { mode, log }: ConfirmationParts,
  tpp: TppIdentity,
  { verdict, detail }: SecondOpinion,
): void {
  if (verdict === "agree") return;
  const facts = { tpp: tpp.organisationIdentifier, certificate: tpp.thumbprint, detail };
  if (verdict === "no_opinion") log.warn(facts, "the second reader cannot judge a certificate");
  else if (mode === "refuse") throw new TppRefusal(REFUSAL_OF[verdict], detail);
  else
    log.warn(
      { ...facts, refusal: REFUSAL_OF[verdict] },
      "registered although the second reader did not confirm the certificate",
    );
}
