import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../../der/der-element.ts";
import { readOid, readTime } from "../../der/der-values.ts";
import type { Extension } from "../../x509/certificate.ts";
import { readExtensionList } from "../../x509/read-extensions.ts";
import type { AnswerTimes } from "../answer-times.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { readSignedOctets, type SignedOctets } from "../signed-octets.ts";

/** Answer about one certificate (RFC 6960 4.2.1 SingleResponse). */
export interface OcspSingleAnswer extends AnswerTimes {
  readonly certId: DerElement;
  readonly status: "good" | "unknown" | { readonly reason: number | undefined };
}

/** A basic OCSP response (RFC 6960 4.2.1) as encoded; nothing in it is verified yet. */
export interface OcspResponse {
  readonly signed: SignedOctets;
  /** ResponderID: a name under [1], a hash of a key under [2]. */
  readonly responder: DerElement;
  readonly answers: readonly OcspSingleAnswer[];
  /** Contents of the nonce extension. */
  readonly nonce: Buffer | undefined;
  readonly certificates: readonly Buffer[];
}

const basicResponse = "1.3.6.1.5.5.7.48.1.1";
const nonceExtension = "1.3.6.1.5.5.7.48.1.2";
const failures: ReadonlyMap<number, string> = new Map([
  [1, "malformedRequest"],
  [2, "internalError"],
  [3, "tryLater"],
  [5, "sigRequired"],
  [6, "unauthorized"],
]);
const answersLimit = 100;
const certificatesLimit = 8;

/** Reads an OCSP response; throws a `DerFault`, or an `UnusableAnswer` if the response is an error status. */
export function readOcspResponse(der: Buffer): OcspResponse {
  const [status, bytes] = membersOf(readDer(der), tags.sequence, { min: 1, max: 2 });
  requireSuccessful(readEnumerated(status));
  const [wrapped] = membersOf(bytes, tags.constructed(0), { min: 1, max: 1 });
  const [type, response] = membersOf(wrapped, tags.sequence, { min: 2, max: 2 });
  if (readOid(type) !== basicResponse) throw new UnusableAnswer("the OCSP response is not a basic response");
  const basic = readDer(contentsOf(response, tags.octetString));
  const members = membersOf(basic, tags.sequence, { min: 3, max: 4 });
  return {
    signed: readSignedOctets(members),
    ...readResponseData(members[0]),
    certificates: readCertificates(members[3]),
  };
}

function requireSuccessful(status: number): void {
  if (status !== 0) throw new UnusableAnswer(`the responder answered ${failures.get(status) ?? status}`);
}

/** Skips the version, which has only one value. */
function readResponseData(
  element: DerElement | undefined,
): Pick<OcspResponse, "responder" | "answers" | "nonce"> {
  const [responder, producedAt, list, extensions] = membersOf(element, tags.sequence, { min: 3, max: 4 });
  if (responder === undefined || producedAt?.tag !== tags.generalizedTime)
    throw new DerFault("ResponseData is malformed");
  readTime(producedAt);
  const answers = membersOf(list, tags.sequence, { min: 1, max: answersLimit }).map(readSingleAnswer);
  const known = readKnownExtensions(extensions, [nonceExtension]);
  return { responder, answers, nonce: known.get(nonceExtension)?.value };
}

function readSingleAnswer(element: DerElement): OcspSingleAnswer {
  const [certId, status, thisUpdate, ...optional] = membersOf(element, tags.sequence, { min: 3, max: 5 });
  if (certId === undefined) throw new DerFault("CertID is missing");
  const next = optional[0]?.tag === tags.constructed(0) ? optional.shift() : undefined;
  readKnownExtensions(optional.shift(), []);
  if (optional.length > 0) throw new DerFault("a SingleResponse has unexpected fields");
  return {
    certId,
    status: readStatus(status),
    thisUpdate: readGeneralizedTime(thisUpdate),
    nextUpdate:
      next === undefined
        ? undefined
        : readGeneralizedTime(membersOf(next, tags.constructed(0), { min: 1, max: 1 })[0]),
  };
}

function readStatus(element: DerElement | undefined): OcspSingleAnswer["status"] {
  switch (element?.tag) {
    case tags.primitive(0):
      return requireEmpty(element, "good");
    case tags.primitive(2):
      return requireEmpty(element, "unknown");
    default:
      return { reason: readReason(element) };
  }
}

function requireEmpty<Status>({ contents }: DerElement, status: Status): Status {
  if (contents.length > 0) throw new DerFault("the status has contents, but must be empty");
  return status;
}

function readReason(element: DerElement | undefined): number | undefined {
  const [revokedAt, wrapped] = membersOf(element, tags.constructed(1), { min: 1, max: 2 });
  readGeneralizedTime(revokedAt);
  if (wrapped === undefined) return undefined;
  return readEnumerated(membersOf(wrapped, tags.constructed(0), { min: 1, max: 1 })[0]);
}

/** RFC 6960 4.4: an unknown critical extension makes the whole answer unusable. */
function readKnownExtensions(
  wrapper: DerElement | undefined,
  known: readonly string[],
): ReadonlyMap<string, Extension> {
  if (wrapper === undefined) return new Map();
  const extensions = readExtensionList(membersOf(wrapper, tags.constructed(1), { min: 1, max: 1 })[0]);
  for (const [oid, { critical }] of extensions)
    if (critical && !known.includes(oid))
      throw new UnusableAnswer(`the OCSP response has the unsupported critical extension ${oid}`);
  return extensions;
}

function readCertificates(wrapper: DerElement | undefined): readonly Buffer[] {
  if (wrapper === undefined) return [];
  const [list] = membersOf(wrapper, tags.constructed(0), { min: 1, max: 1 });
  return membersOf(list, tags.sequence, { max: certificatesLimit }).map(({ encoded }) => encoded);
}

function readGeneralizedTime(element: DerElement | undefined): Date {
  contentsOf(element, tags.generalizedTime);
  return readTime(element);
}

function readEnumerated(element: DerElement | undefined): number {
  const octets = contentsOf(element, tags.enumerated);
  if (octets.length !== 1 || octets.readUInt8(0) >= 0x80)
    throw new DerFault("an ENUMERATED is not one octet from 0 to 127");
  return octets.readUInt8(0);
}
