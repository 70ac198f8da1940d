import { tags } from "../der/der-element.ts";
import type { PresentedCertificate } from "../presented-certificate.ts";
import { findCertificate } from "../x509/read-certificate.ts";

/** A file without a certificate to inspect. The message is a sentence for people, without anything from the file. */
export class CertificateFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CertificateFileError";
  }
}

const octetsLimit = 1_048_576;
/** Far more than a certificate and all its authorities. */
const certificatesLimit = 50;
const beginning = "-----BEGIN ";
const labelForm = /^([^-\r\n]{1,60})-----/;
const certificateLabels = ["CERTIFICATE", "X509 CERTIFICATE"];
const base64Form = /^[A-Za-z0-9+/]+={0,2}$/;
const firstOctetOfDer = 0x30;
const utf16Mark = Buffer.from([0xff, 0xfe]);

/**
 * Reads a certificate, and the authorities in the same file, in the forms that people have: DER, PEM with anything around and
 * inside its blocks, several blocks in any order, or bare base64. Throws a `CertificateFileError`, also for a private key.
 * Whether the octets are a certificate is left to the inspection.
 */
export function readCertificateFile(
  content: string | Buffer,
): Pick<PresentedCertificate, "der" | "intermediates"> {
  if (content.length > octetsLimit) throw new CertificateFileError("The file is larger than 1 MiB.");
  if (typeof content !== "string" && content[0] === firstOctetOfDer && !isText(content))
    return { der: requireNoKey(content), intermediates: [] };
  const [first, ...others] = certificatesOf(textOf(content));
  if (first === undefined) throw new CertificateFileError("The file contains no certificate in PEM or DER.");
  return leafFirst([first, ...others]);
}

/** `0`, the first octet of DER, also occurs in text. */
function isText(content: Buffer): boolean {
  return content.every((octet) => octet >= 0x20 || octet === 0x0a || octet === 0x0d || octet === 0x09);
}

/** Decodes text: some shells write UTF-16, and some configurations write the two characters `\n` for a line break. */
function textOf(content: string | Buffer): string {
  if (typeof content === "string") return unescaped(content);
  const isUtf16 = content.subarray(0, 2).equals(utf16Mark);
  return unescaped(content.toString(isUtf16 ? "utf16le" : "utf8"));
}

function unescaped(text: string): string {
  return text.replaceAll("\\r", "").replaceAll("\\n", "\n");
}

function certificatesOf(text: string): readonly Buffer[] {
  if (/PRIVATE KEY/i.test(text)) throw privateKeyGiven();
  const bare = text.replace(/\s/g, "");
  if (base64Form.test(bare))
    return [Buffer.from(bare, "base64")].filter((der) => der[0] === firstOctetOfDer).map(requireNoKey);
  const [, ...blocks] = text.split(beginning);
  if (blocks.length > certificatesLimit)
    throw new CertificateFileError(`The file contains more than ${certificatesLimit} certificates.`);
  return blocks.map(readBlock).map(requireNoKey);
}

/** Refuses private keys: PKCS #8, PKCS #1, SEC 1 and PKCS #12 begin with a version number, and nothing else here does. */
function requireNoKey(der: Buffer): Buffer {
  const length = der[1] ?? 0;
  const first = der[length < 0x80 ? 2 : 2 + (length & 0x7f)];
  if (first === tags.integer) throw privateKeyGiven();
  return der;
}

function privateKeyGiven(): CertificateFileError {
  return new CertificateFileError(
    "The file contains a private key. Give only the certificate, and keep the key secret.",
  );
}

/** Reads a PEM block without its first words, with whatever follows it. */
function readBlock(text: string): Buffer {
  const label = labelForm.exec(text)?.[1] ?? "";
  const end = text.indexOf(`-----END ${label}-----`);
  if (label === "" || end < 0)
    throw new CertificateFileError("The file contains a PEM block without an END line.");
  return decodeBlock(label.trim(), text.slice(`${label}-----`.length, end));
}

function decodeBlock(label: string, body: string): Buffer {
  if (!certificateLabels.includes(label))
    throw new CertificateFileError(
      "The file contains a PEM block that is not a certificate: give only certificates.",
    );
  const base64 = body.replace(/\s/g, "");
  if (!base64Form.test(base64)) throw new CertificateFileError("The Base64 of a PEM block is malformed.");
  return Buffer.from(base64, "base64");
}

/** Puts the leaf first: the first that is not an authority, or else the first that issued none of the others. */
function leafFirst(ders: readonly [Buffer, ...Buffer[]]) {
  const isLeaf = (der: Buffer) => {
    const certificate = findCertificate(der);
    return certificate === undefined || certificate.authority === undefined;
  };
  const der = ders.find(isLeaf) ?? ders.find((each) => !hasIssued(each, ders)) ?? ders[0];
  return { der, intermediates: ders.filter((each) => each !== der) };
}

function hasIssued(der: Buffer, others: readonly Buffer[]): boolean {
  const subject = findCertificate(der)?.subject.encoded;
  return others.some(
    (other) => other !== der && subject?.equals(findCertificate(other)?.issuer.encoded ?? Buffer.alloc(0)),
  );
}
