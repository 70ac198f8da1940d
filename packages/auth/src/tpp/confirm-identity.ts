import type { PresentedCertificate, TppIdentity } from "@cobs/psd2-certificates";
import type { Log } from "@cobs/service-edge";
import { TppRefusal, type TppRefusalCode } from "./tpp-refusal.ts";

/** What a reader that shares no code with ours found in a certificate. */
export type SecondReading =
  | { readonly kind: "read"; readonly organisationIdentifier: string }
  /** It cannot represent what the certificate holds. */
  | { readonly kind: "no_opinion"; readonly detail: string }
  /** It gave no answer in time, or ended. */
  | { readonly kind: "failed"; readonly detail: string };

/** The second, independent reader of the organisation identifier. Never rejects. */
export interface SecondReader {
  /** Reads a certificate that was verified before, as DER. */
  read(der: Uint8Array): Promise<SecondReading>;
  close(): Promise<void>;
}

/** How much the second reader counts, and how long it may take. */
export interface SecondReaderSettings {
  readonly mode: "refuse" | "warn" | "off";
  readonly deadlineMilliseconds: number;
}

/**
 * Asks the second reader whether a verified certificate is of this TPP. Refuses with `second_reader_disagrees` or
 * `second_reader_failed`.
 */
export type ConfirmIdentity = (
  presented: PresentedCertificate | undefined,
  tpp: TppIdentity,
) => Promise<void>;

interface Verdict {
  readonly code: TppRefusalCode;
  readonly detail: string;
}

function judge(reading: SecondReading, tpp: TppIdentity): Verdict | undefined {
  if (reading.kind === "failed") return { code: "second_reader_failed", detail: reading.detail };
  if (reading.kind === "no_opinion" || reading.organisationIdentifier === tpp.organisationIdentifier)
    return undefined;
  return { code: "second_reader_disagrees", detail: `it reads ${reading.organisationIdentifier}` };
}

/** Makes the confirmation at registration. What the reader cannot represent is no second opinion: logged and accepted. */
export function createIdentityConfirmation(parts: {
  readonly reader: Pick<SecondReader, "read">;
  readonly mode: SecondReaderSettings["mode"];
  readonly log: Log;
}): ConfirmIdentity {
  const { reader, mode, log } = parts;
  if (mode === "off") return async () => undefined;
  return async (presented, tpp) => {
    if (presented === undefined) throw new TypeError("a registration is confirmed without a certificate");
    const reading = await reader.read(presented.der);
    const facts = { tpp: tpp.organisationIdentifier, certificate: tpp.thumbprint };
    if (reading.kind === "no_opinion") log.warn({ ...facts, detail: reading.detail }, "no second opinion");
    const verdict = judge(reading, tpp);
    if (verdict === undefined) return;
    if (mode === "refuse") throw new TppRefusal(verdict.code, verdict.detail);
    log.warn({ ...facts, ...verdict }, "registered without the consent of the second reader");
  };
}
