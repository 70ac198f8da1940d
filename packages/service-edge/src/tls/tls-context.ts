import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { fileVersion } from "../configuration/file-version.ts";
import { parseCertificates, parsePrivateKey } from "../configuration/key-files.ts";
import { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { findOtherTime } from "./certificate-time.ts";
import { renewWhenChanged } from "./renew-when-changed.ts";
import { TLS_SETTINGS } from "./tls-settings.ts";

/** Who may connect: anybody, without or with a request for a certificate (checked per call), or only holders of one. */
export type ClientCertificates =
  | { readonly kind: "never-asked" }
  | { readonly kind: "requested" | "required"; readonly authorities: Authorities };

/** Returns the PEM of the authorities now in force, which may change while a listener is open. */
export type Authorities = () => readonly string[];

/** Files of a listener's own certificate and key; they are read again when they change. */
export interface KeyPairFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** What a listener's handshakes depend on; it may change while the listener is open. */
export interface TlsContextOptions {
  readonly name: string;
  readonly keyPair: KeyPairFiles;
  readonly clientCertificates: ClientCertificates;
  readonly log: Log;
  /** Called with the PEM of the certificate of all further handshakes. */
  readonly onCertificate?: ((pem: string) => void) | undefined;
}

/**
 * Reads a key pair. With a certificate and a key of different algorithms, OpenSSL would assume halves of two pairs, and have
 * no certificate to show.
 */
export function readPair({ certificateFile, keyFile }: KeyPairFiles) {
  const [cert, key] = [readFileSync(certificateFile, "utf8"), readFileSync(keyFile, "utf8")];
  const [own] = parseCertificates(cert, certificateFile);
  if (own?.checkPrivateKey(parsePrivateKey(new Secret(key), keyFile)) !== true)
    throw new Error(`the key in ${keyFile} does not belong to the first certificate in ${certificateFile}`);
  return { cert, key };
}

/** Refuses a certificate that is not valid yet or any more: the former one is better, however soon it expires. */
export function requireUsable(cert: string, { certificateFile }: KeyPairFiles): void {
  const otherTime = findOtherTime(parseCertificates(cert, certificateFile));
  if (otherTime !== undefined) throw new Error(`the certificate in ${certificateFile} is ${otherTime}`);
}

/** Makes a listener's context from the present files and authorities; throws if the files cannot be read, or are not a pair. */
export function tlsContext({ keyPair, clientCertificates }: TlsContextOptions) {
  return {
    ...TLS_SETTINGS,
    ...readPair(keyPair),
    ...(clientCertificates.kind !== "never-asked" && { ca: [...clientCertificates.authorities()] }),
  } satisfies SecureContextOptions;
}

/** Whether a listener asks for a certificate, and whether it ends the handshake of a caller without a good one. */
export function askForCertificate({ kind }: ClientCertificates) {
  return { requestCert: kind !== "never-asked", rejectUnauthorized: kind === "required" };
}

/** Returns a text that identifies the state of a key pair. */
export async function keyPairState({ certificateFile, keyFile }: KeyPairFiles): Promise<string> {
  const versions = [certificateFile, keyFile].map((file) => fileVersion(file).catch(String));
  return (await Promise.all(versions)).join("\n");
}

/** Returns a text for the state that the context depends on; asked before the context is made, so that no change is missed. */
export async function tlsContextState({ keyPair, clientCertificates }: TlsContextOptions): Promise<string> {
  const authorities = clientCertificates.kind === "never-asked" ? [] : clientCertificates.authorities();
  return [await keyPairState(keyPair), ...authorities].join("\n");
}

/**
 * Renews the context of a server after its key pair or its authorities have changed. It applies to later handshakes; open
 * connections stay.
 */
export function renewContextWhenChanged(
  server: Server,
  options: TlsContextOptions,
  initial: { readonly state: string; readonly cert: string },
): { readonly stop: () => void } {
  const { name: listener, log } = options;
  let shown = initial.cert;
  return renewWhenChanged({
    state: () => tlsContextState(options),
    inForce: initial.state,
    renew: () => {
      const context = tlsContext(options);
      if (context.cert !== shown) requireUsable(context.cert, options.keyPair);
      server.setSecureContext(context);
      shown = context.cert;
      options.onCertificate?.(context.cert);
      log.info({ listener }, "TLS context renewed");
    },
    onFailure: (error) => log.error({ listener, error }, "TLS context not renewed; the old one stays"),
  });
}
