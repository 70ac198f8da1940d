import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate with its key, in PEM. */
export interface StrangerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a self-signed certificate, as anybody can (X.509, RFC 5280 section 4.1). */
export function makeStranger(now: Date): StrangerIdentity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("connector-kit-stranger")))));
  const validity = sequence(time(now, -DAY_MILLISECONDS), time(now, DAY_MILLISECONDS));
  const subjectKey = publicKey.export({ type: "spki", format: "der" });
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const told = sequence(VERSION_3, serial, ECDSA_WITH_SHA256, name, validity, name, subjectKey);
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign("sha256", told, privateKey)]));
  const certificate = sequence(told, ECDSA_WITH_SHA256, signature);
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines(certificate)}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const DAY_MILLISECONDS = 86_400_000;
const VERSION_3 = der(0xa0, der(0x02, Buffer.of(2)));
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ECDSA_WITH_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));

function sequence(...members: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(members));
}

/** Writes a DER element: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

/** With two digits of the year until 2049 and with four from then on (RFC 5280 4.1.2.5). */
function time(now: Date, offset: number): Buffer {
  const text = new Date(now.getTime() + offset).toISOString().replace(/\D/g, "").slice(0, 14);
  const isLater = text >= "2050";
  return der(isLater ? 0x18 : 0x17, Buffer.from(`${isLater ? text : text.slice(2)}Z`));
}

function lines(content: Buffer): string {
  return content.toString("base64").replace(/.{1,64}/g, "$&\n");
}
