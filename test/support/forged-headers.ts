import { createHash, X509Certificate } from "node:crypto";

/** Every header name under which some proxy passes on a client certificate, or its verdict on it. A table. */
export const FORGED_NAMES: readonly string[] = [
  "Client-Cert",
  "client-cert",
  "CLIENT-CERT",
  "Client_Cert",
  "client_cert",
  "Client-Cert-Chain",
  "Client_Cert_Chain",
  "ClientCert",
  "X-Client-Cert",
  "X_Client_Cert",
  "X-Client-Certificate",
  "X-SSL-Client-Cert",
  "X_SSL_CLIENT_CERT",
  "X-SSL_Client-Cert",
  "x-ssl-client-cert",
  "X-SSL-Client-Certificate",
  "X-SSL-Client-Cert-Chain",
  "X-SSL-Client-Verify",
  "X-SSL-Client-DN",
  "X-SSL-CERT",
  "X-SSL-Certificate",
  "SSL_CLIENT_CERT",
  "SSL-Client-Cert",
  "ssl-client-cert",
  "ssl-client-verify",
  "X-Tls-Client-Cert",
  "X-TLS-Client-Certificate",
  "Tls-Client-Cert",
  "x-forwarded-client-cert",
  "X_Forwarded_Client_Cert",
  "X-Forwarded-Tls-Client-Cert",
  "X-Forwarded-Tls-Client-Cert-Info",
  "X-Forwarded-Ssl-Client-Cert",
  "X-ARR-ClientCert",
  "X-Amzn-Mtls-Clientcert",
  "X-Amzn-Mtls-Clientcert-Leaf",
  "X-Amzn-Mtls-Clientcert-Subject",
  "Cf-Client-Cert-Der-Base64",
  "Cf-Client-Cert-Sha256",
];

/** A certificate in every encoding that some proxy uses. */
export function forgedValues(der: Buffer): Readonly<Record<string, string>> {
  const pem = new X509Certificate(der).toString();
  const escaped = encodeURIComponent(pem);
  const hash = createHash("sha256").update(der).digest("hex");
  return {
    "RFC 9440": `:${der.toString("base64")}:`,
    nginx: escaped,
    Envoy: `Hash=${hash};Cert="${escaped}"`,
    "bare base64": der.toString("base64"),
    "PEM in one line": pem.replaceAll("\n", " ").trim(),
    verified: "SUCCESS",
  };
}
