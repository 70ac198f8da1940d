import { readDerElements } from "./der-elements.ts";

/** A CertID as encoded, and the parts of it that an answer needs. */
export type AskedCertificate = {
  readonly encoded: Buffer;
  readonly issuerKeyHash: Buffer;
  readonly serialNumber: string;
};

/** Content of an OCSP request (RFC 6960 4.1.1): the CertIDs as encoded, and its nonce. */
export type OcspRequest = {
  readonly certIds: readonly AskedCertificate[];
  readonly nonce: Buffer | undefined;
};

const nonceExtension = Buffer.from("2b0601050507300102", "hex");

/** Reads the parts of a request that the sandbox's responder needs; throws a `TypeError` if it is not an OCSP request. */
export function readOcspRequest(der: Buffer): OcspRequest {
  try {
    return readRequest(der);
  } catch {
    throw new TypeError("not an OCSP request");
  }
}

function readRequest(der: Buffer): OcspRequest {
  const [outer, ...after] = readDerElements(der);
  if (outer?.tag !== 0x30 || after.length > 0 || outer.encoded.length !== der.length) throw new TypeError();
  const [tbs] = readDerElements(outer.contents);
  const members = readDerElements(tbs?.contents);
  const list = members.find(({ tag }) => tag === 0x30);
  const certIds = readDerElements(list?.contents).map(({ contents }) =>
    readCertId(readDerElements(contents)[0]),
  );
  if (certIds.length === 0) throw new TypeError();
  const extensions = readDerElements(members.find(({ tag }) => tag === 0xa2)?.contents);
  return { certIds, nonce: findNonce(readDerElements(extensions[0]?.contents)) };
}

type Element = ReturnType<typeof readDerElements>[number];

function readCertId(element: Element | undefined): AskedCertificate {
  const [, , issuerKeyHash, serial] = readDerElements(element?.contents);
  if (element === undefined || issuerKeyHash === undefined || serial?.tag !== 0x02) throw new TypeError();
  return {
    encoded: element.encoded,
    issuerKeyHash: issuerKeyHash.contents,
    serialNumber: serial.contents.toString("hex"),
  };
}

function findNonce(extensions: readonly Element[]): Buffer | undefined {
  for (const { contents } of extensions) {
    const [oid, ...rest] = readDerElements(contents);
    if (oid?.contents.equals(nonceExtension) !== true) continue;
    return readDerElements(rest.at(-1)?.contents)[0]?.contents;
  }
  return undefined;
}
