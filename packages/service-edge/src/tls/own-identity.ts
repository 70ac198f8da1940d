import { createSecureContext } from "node:tls";
import type { ClientIdentity, CurrentIdentity } from "../client/current-identity.ts";
import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import { parseCertificates } from "../configuration/key-files.ts";
import type { Log } from "../log/log.ts";
import { commonNameIn } from "./machine-certificate.ts";
import { renewWhenChanged } from "./renew-when-changed.ts";
import { keyPairState, readPair, requireUsable } from "./tls-context.ts";

/** The current certificate and key with which a service calls others. */
export interface OwnIdentity {
  readonly current: CurrentIdentity;
  readonly stop: () => void;
}

/** Files of an identity, and callbacks for its changes. */
export interface OwnIdentityParts {
  readonly log: Log;
  /** Called with the PEM of the certificate shown from now on. */
  readonly onCertificate: (pem: string) => void;
}

const CERTIFICATE = "bank-client";

/**
 * Follows the key pair files with which a service calls the bank's others. Keeps the present pair while the files cannot be
 * used, or bear another name: the others know this service by that name, and all its processes share it.
 */
export function followOwnIdentity(
  { bankClient, bankClientName }: Pick<EdgeConfiguration, "bankClient" | "bankClientName">,
  { log, onCertificate }: OwnIdentityParts,
): OwnIdentity {
  let current: ClientIdentity = { certificate: bankClient.certificate, key: bankClient.key.reveal() };
  onCertificate(current.certificate);
  const { stop } = renewWhenChanged({
    state: () => keyPairState(bankClient),
    // Unknown, because the files may have changed since they were read with the configuration.
    inForce: undefined,
    renew: () => {
      const { cert: certificate, key } = readPair(bankClient);
      if (certificate === current.certificate && key === current.key) return;
      requireUsable(certificate, bankClient);
      requireName(certificate, bankClient.certificateFile, bankClientName);
      createSecureContext({ cert: certificate, key });
      current = { certificate, key };
      onCertificate(certificate);
      log.info({ certificate: CERTIFICATE }, "certificate renewed");
    },
    onFailure: (error) =>
      log.error({ certificate: CERTIFICATE, error }, "certificate not renewed; the old one stays"),
  });
  return { current: () => current, stop };
}

function requireName(pem: string, path: string, name: string): void {
  const [own] = parseCertificates(pem, path);
  const found = own && commonNameIn(own);
  if (found !== name)
    throw new Error(
      `the common name of the certificate in ${path} must be ${name}, but is ${found ?? "missing, or not the only one"}`,
    );
}
