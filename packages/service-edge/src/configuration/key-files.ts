/**
 * Keys and certificates, read and tried with the configuration. If no handshake could be made with them, that is a fault of
 * the configuration, reported with the variable and the file but never the content. Whether others trust a certificate, and
 * until when, is not checked here.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { commonNameIn } from "../tls/machine-certificate.ts";
import type { KeyPairFiles } from "../tls/tls-context.ts";
import { TLS_SETTINGS } from "../tls/tls-settings.ts";
import type { ConfigurationReader } from "./read-configuration.ts";
import type { Secret } from "./secret.ts";

/** A certificate, perhaps followed by its issuers, and its key; both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: Secret;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Reads a file of one or more PEM certificates, such as the authorities that certify others. */
export function readCertificates(read: ConfigurationReader, name: string): string {
  const pem = read.file(name);
  return read.parsed(name, (path) => {
    parseCertificates(pem, path);
    return pem;
  });
}

/** Reads the common name of the first certificate, by which others know its owner. */
export function readCommonName(read: ConfigurationReader, name: string): string {
  const pem = readCertificates(read, name);
  return read.parsed(name, (path) => {
    const [own] = parseCertificates(pem, path);
    const found = own && commonNameIn(own);
    if (found === undefined)
      throw new Error(
        `the first certificate of ${path} must have exactly one common name, by which others know its owner`,
      );
    return found;
  });
}

/** Reads the certificate of `<prefix>_CERTIFICATE_FILE` and its key of `<prefix>_KEY_FILE`. */
export function readKeyPair(read: ConfigurationReader, prefix: string): KeyPair {
  const { certificateFile, keyFile } = variablesOf(prefix);
  const pair = read.together<KeyPair>({
    certificate: () => readCertificates(read, certificateFile),
    key: () => readPrivateKey(read, keyFile),
  });
  read.parsed(keyFile, (path) =>
    requirePair(pair, path, `${certificateFile} (${read.text(certificateFile)})`),
  );
  return pair;
}

/** Checks the same files for a listener, which reads them itself, and again when they change. */
export function readKeyPairFiles(read: ConfigurationReader, prefix: string): KeyPairFiles {
  readKeyPair(read, prefix);
  return keyPairFiles(read, prefix);
}

/** Returns the paths of the files of a key pair that was read. */
export function keyPairFiles(read: ConfigurationReader, prefix: string): KeyPairFiles {
  const { certificateFile, keyFile } = variablesOf(prefix);
  return { certificateFile: read.text(certificateFile), keyFile: read.text(keyFile) };
}

function variablesOf(prefix: string): KeyPairFiles {
  return { certificateFile: `${prefix}_CERTIFICATE_FILE`, keyFile: `${prefix}_KEY_FILE` };
}

/** Parses the certificates in a file's text; there is at least one. Throws a sentence that names the file. */
export function parseCertificates(pem: string, path: string): readonly X509Certificate[] {
  const found = pem.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new Error(`the file ${path} holds no PEM certificate`);
  try {
    return found.map((each) => new X509Certificate(each));
  } catch {
    throw new Error(`the file ${path} holds a certificate that cannot be read`);
  }
}

function readPrivateKey(read: ConfigurationReader, name: string): Secret {
  const key = read.secretFile(name);
  return read.parsed(name, (path) => {
    parsePrivateKey(key, path);
    return key;
  });
}

/** Parses the private key in a file's text. Throws a sentence that names the file. */
export function parsePrivateKey(key: Secret, path: string): KeyObject {
  try {
    return createPrivateKey(key.reveal());
  } catch {
    throw new Error(`the file ${path} holds no PEM private key, or one with a passphrase`);
  }
}

function requirePair({ certificate, key }: KeyPair, path: string, whose: string): void {
  const [own] = parseCertificates(certificate, path);
  if (own?.checkPrivateKey(parsePrivateKey(key, path)) !== true)
    throw new Error(`the key in ${path} does not belong to the first certificate of ${whose}`);
  try {
    createSecureContext({ ...TLS_SETTINGS, cert: certificate, key: key.reveal() });
  } catch (error) {
    const why = error instanceof Error && "reason" in error ? String(error.reason) : "OpenSSL refuses it";
    throw new Error(`TLS cannot use the key in ${path} with ${whose}: ${why}`);
  }
}
