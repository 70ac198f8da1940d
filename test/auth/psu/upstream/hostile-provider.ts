import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type KeyPairFiles, listen } from "@cobs/service-edge";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { CLIENT_ID, STRONG } from "./bank-provider.ts";

/** Answer of the token endpoint; undefined means that none comes. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A provider that answers whatever a test wants; by default correctly. */
export interface HostileProvider {
  readonly issuer: string;
  /** Changes to the provider's metadata. */
  metadata: Readonly<Record<string, unknown>>;
  /** Changes to the published key. */
  key: Readonly<Record<string, unknown>>;
  /** Answer to every request for its keys, in place of the published ones. */
  keysAnswer: TokenAnswer | undefined;
  /** Answers every redemption. */
  redeem: () => Promise<TokenAnswer | undefined>;
  /** Correct claims for a nonce. */
  claims(nonce: string): JWTPayload;
  /** Signs claims with the key that the provider publishes. */
  sign(claims: JWTPayload): Promise<string>;
  /** Publishes another key under another id in place of the last one, and signs with it from now on. */
  rotate(): Promise<void>;
  /** Publishes a further key beside the one that signs. */
  publishAnother(): Promise<void>;
  /** While true, neither keys nor ID tokens have a `kid`. */
  unnamed: boolean;
  /** Number of requests for its keys so far. */
  keysAsked(): number;
  close(): Promise<void>;
}

/** Id of the key that is published first. */
const KEY_ID = "bank-1";

/** A good answer of the token endpoint around an ID token. */
export function tokenAnswer(idToken: string | undefined): TokenAnswer {
  const token = { access_token: "an-access-token", token_type: "Bearer", expires_in: 60 };
  return { status: 200, body: JSON.stringify({ ...token, ...(idToken && { id_token: idToken }) }) };
}

/** Signs claims with any key under the id of the first published key. */
export function signWith(
  key: CryptoKey | Uint8Array,
  algorithm: string,
  claims: JWTPayload,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: KEY_ID }).sign(key);
}

/** A key pair, with the public key in its published form. */
async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}

/** Starts a provider over TLS on a random port. */
export async function startHostileProvider(keyPair: KeyPairFiles): Promise<HostileProvider> {
  let key = await makeKey(KEY_ID);
  const others: JWK[] = [];
  let [rotations, keysAsked] = [0, 0];
  const tls = { cert: readFileSync(keyPair.certificateFile), key: readFileSync(keyPair.keyFile) };
  const write = (response: ServerResponse, { status, body, headers }: TokenAnswer) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  const server = createServer(tls, async ({ url }, response) => {
    if (url === "/jwks") {
      keysAsked += 1;
      const published = [{ ...key.jwk, ...running.key }, ...others];
      const keys = published.map((jwk) => (running.unnamed ? { ...jwk, kid: undefined } : jwk));
      return write(response, running.keysAnswer ?? { status: 200, body: JSON.stringify({ keys }) });
    }
    if (url !== "/token") return write(response, { status: 200, body: JSON.stringify(described()) });
    const answer = await running.redeem();
    return answer === undefined ? undefined : write(response, answer);
  });
  const listener = await listen(server, { name: "hostile provider", host: "127.0.0.1", port: 0 });
  const issuer = `https://localhost:${listener.port}`;
  const described = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
    ...running.metadata,
  });
  const running: HostileProvider = {
    issuer,
    metadata: {},
    key: {},
    keysAnswer: undefined,
    redeem: async () => undefined,
    claims: (nonce) => {
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, exp: now + 60, auth_time: now };
      return { iss: issuer, aud: CLIENT_ID, sub: "bank-0042", nonce, acr: STRONG, name: "Jana", ...times };
    },
    sign: (claims) => {
      const named = running.unnamed ? {} : { kid: key.kid };
      return new SignJWT(claims).setProtectedHeader({ alg: "ES256", ...named }).sign(key.privateKey);
    },
    publishAnother: async () => {
      others.push((await makeKey("another")).jwk);
    },
    unnamed: false,
    rotate: async () => {
      rotations += 1;
      key = await makeKey(`bank-${rotations + 1}`);
    },
    keysAsked: () => keysAsked,
    close: () => {
      server.closeAllConnections();
      return listener.close(0);
    },
  };
  return running;
}
