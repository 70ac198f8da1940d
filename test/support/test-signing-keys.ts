import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { TestFeed } from "./test-feed.ts";

/** Content of one answer before it is signed. */
export interface UnsignedAnswer {
  readonly header: { alg: string; typ?: string; kid?: string };
  readonly claims: JWTPayload;
}

/** The keys with which an authorization server signs, changed by a test. */
export interface TestSigningKeys {
  /** Name of the key that signs. */
  readonly kid: string;
  /** The public keys, as at `/oauth/jwks`. */
  readonly published: readonly Record<string, unknown>[];
  /** Returns the JWT of this header and these claims; without a signature for `alg` "none". */
  sign(unsigned: UnsignedAnswer): Promise<string>;
  /** Signs with a new key under another name from now on; the key set has both. */
  rotateKey(): Promise<void>;
  /** Removes the first key, which still signs, from the key set, and adds an event to the feed. */
  dropFirstKey(): void;
  /** Signs with a key that is not in the key set, under the name of one that is. */
  signWithForeignKey(): Promise<void>;
}

/** Makes the first key, and publishes it. */
export async function startTestSigningKeys(feed: TestFeed): Promise<TestSigningKeys> {
  let signing = await newKey("k1");
  const published: Record<string, unknown>[] = [signing.jwk];
  return {
    get kid() {
      return signing.kid;
    },
    published,
    sign: async ({ header, claims }) => {
      if (header.alg === "none") return `${encoded(header)}.${encoded(claims)}.`;
      return new SignJWT(claims).setProtectedHeader(header).sign(signing.privateKey);
    },
    rotateKey: async () => {
      signing = await newKey(`k${published.length + 1}`);
      published.push(signing.jwk);
    },
    dropFirstKey: () => {
      const [dropped] = published.splice(0, 1);
      feed.tell("signing_key_dropped", String(dropped?.kid));
    },
    signWithForeignKey: async () => {
      signing = await newKey(signing.kid);
    },
  };
}

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", alg: "ES256" } };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
