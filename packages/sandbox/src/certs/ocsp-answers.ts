/** Every kind of OCSP answer about one certificate that a client must tell apart: right, wrong and unusable. */
import { flipLastOctet } from "../certificates/defects/changes.ts";
import type { IssuedCertificate } from "../certificates/issue-certificate.ts";
import {
  type OcspDescription,
  type OcspSingleAnswer,
  ocspFailure,
  signOcspResponse,
} from "../certificates/ocsp-response.ts";
import type { TestCa } from "../certificates/test-ca.ts";

/** The certificate, the signer, and the time of an answer. */
export interface OcspAnswerAbout {
  readonly serialNumber: string;
  readonly issuer: IssuedCertificate;
  readonly ca: TestCa;
  readonly now: Date;
}

type Answer = (about: OcspAnswerAbout) => Buffer;

const hourMilliseconds = 3_600_000;
const anotherSerial = "5A5A5A5A";

/** Each kind of answer: what it says, and how it is made. */
export const ocspAnswers = {
  good: { what: "it is good, for an hour", make: signed({}) },
  revoked: {
    what: "it was revoked an hour ago, because its key was compromised",
    make: signed({}, ({ now }) => ({ status: { revokedAt: hoursFrom(now, -1), reason: "keyCompromise" } })),
  },
  "on-hold": {
    what: "it was put on hold an hour ago",
    make: signed({}, ({ now }) => ({ status: { revokedAt: hoursFrom(now, -1), reason: "certificateHold" } })),
  },
  unknown: { what: "the responder does not know it", make: signed({}, () => ({ status: "unknown" })) },
  stale: {
    what: "it was good, until an hour ago",
    make: signed({}, ({ now }) => ({ thisUpdate: hoursFrom(now, -2), nextUpdate: hoursFrom(now, -1) })),
  },
  "not-yet": {
    what: "it will be good, from an hour from now",
    make: signed({}, ({ now }) => ({ thisUpdate: hoursFrom(now, 1), nextUpdate: hoursFrom(now, 2) })),
  },
  "another-certificate": {
    what: "another certificate is good",
    make: signed({}, ({ issuer }) => ({
      subject: { issuerPem: issuer.certificatePem, serialNumber: anotherSerial },
    })),
  },
  "another-nonce": {
    what: "it is good, with a nonce that was not in the request",
    make: signed({ nonce: Buffer.alloc(16, 0x5a) }),
  },
  "wrong-signer": {
    what: "it is good, signed by somebody who is not its issuer",
    make: (about: OcspAnswerAbout) => signOcspResponse(about.ca.unknownIssuing, describe(about, {})),
  },
  "broken-signature": {
    what: "it is good, with a broken signature",
    // The signature comes last in a response without certificates.
    make: (about: OcspAnswerAbout) => flipLastOctet(signed({})(about)),
  },
  "weak-signature": { what: "it is good, signed over SHA-1", make: signed({ signatureHash: "sha1" }) },
  "try-later": { what: "the responder cannot answer now", make: () => ocspFailure("tryLater") },
  unauthorized: { what: "the responder may not answer about it", make: () => ocspFailure("unauthorized") },
  garbage: { what: "no OCSP answer at all", make: () => Buffer.from("<html>service unavailable</html>") },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly make: Answer }>>;

/** One of those kinds. */
export type OcspAnswerKind = keyof typeof ocspAnswers;

/** Whether a word of the command line is one of those kinds. */
export function isOcspAnswerKind(word: string): word is OcspAnswerKind {
  return Object.hasOwn(ocspAnswers, word);
}

function signed(
  changes: Partial<OcspDescription>,
  single: (about: OcspAnswerAbout) => Partial<OcspSingleAnswer> = () => ({}),
): Answer {
  return (about) => signOcspResponse(about.issuer, { ...describe(about, single(about)), ...changes });
}

function describe(about: OcspAnswerAbout, changes: Partial<OcspSingleAnswer>): OcspDescription {
  const { serialNumber, issuer, now } = about;
  const right: OcspSingleAnswer = {
    subject: { issuerPem: issuer.certificatePem, serialNumber },
    status: "good",
    thisUpdate: now,
    nextUpdate: hoursFrom(now, 1),
  };
  return { producedAt: now, answers: [{ ...right, ...changes }] };
}

function hoursFrom(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * hourMilliseconds);
}
