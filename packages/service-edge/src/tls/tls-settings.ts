import { constants } from "node:crypto";
import type { SecureContextOptions } from "node:tls";

/** TLS 1.2 with ECDHE and AES-GCM only, and TLS 1.3 (FAPI 2.0 Security Profile 5.2.1, 5.2.2; RFC 9325). */
export const TLS_SETTINGS = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.3",
  ciphers: [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
  ].join(":"),
  ecdhCurve: "X25519:P-256:P-384",
  honorCipherOrder: true,
  // Without tickets every connection makes a full handshake: the key is proven and the path is checked again.
  secureOptions:
    constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_COMPRESSION,
} as const satisfies SecureContextOptions & { honorCipherOrder: boolean };
