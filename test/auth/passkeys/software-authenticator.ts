import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Cbor, encodeCbor } from "./cbor.ts";

/** Options of the two ceremonies, as far as an authenticator uses them. */
export interface Asking {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
  readonly pubKeyCredParams?: readonly { readonly alg: number }[];
}

/** Deviations of an answer from a correct one. */
export interface Wrong {
  readonly origin?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean | "absent";
  readonly topOrigin?: string;
  /** Put before the client data. */
  readonly before?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly credentialId?: string;
  readonly userHandle?: string;
  /** Flips a bit of the signature. */
  readonly signature?: boolean;
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, Cbor>;
  /** Who attests the key in the format `packed`, with a certificate (Web Authentication 8.2). */
  readonly attestedBy?: { readonly key: KeyObject; readonly der: Uint8Array };
  /** Members of the COSE_Key that are put in place of its own. */
  readonly key?: ReadonlyMap<number, Cbor>;
}

/** An authenticator with one key, whose answers have the form that our script sends. */
export interface SoftwareAuthenticator {
  readonly credentialId: string;
  create(asking: Asking, wrong?: Wrong): string;
  get(asking: Asking, wrong?: Wrong): string;
}

/** Flags of authenticator data (Web Authentication 6.1). */
export const USER_PRESENT = 1;
export const USER_VERIFIED = 4;
const ATTESTED = 64;

/** Algorithms by their names in the IANA registry of COSE, and how a key of each is made and encoded. */
const ALGORITHMS = {
  ES256: { id: -7, hash: "sha256", make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }) },
  EdDSA: { id: -8, hash: null, make: () => generateKeyPairSync("ed25519") },
  RS256: { id: -257, hash: "sha256", make: () => generateKeyPairSync("rsa", { modulusLength: 2048 }) },
  ES384: { id: -35, hash: "sha384", make: () => generateKeyPairSync("ec", { namedCurve: "P-384" }) },
} as const;

/** Name of an algorithm. */
export type Algorithm = keyof typeof ALGORITHMS;

const bytesOf = (text = "") => Buffer.from(text, "base64url");

function presentKey(publicKey: KeyObject, algorithm: number): ReadonlyMap<number, Cbor> {
  const { kty, x, y, n, e } = publicKey.export({ format: "jwk" });
  if (kty === "RSA") {
    return new Map<number, Cbor>([
      [1, 3],
      [3, algorithm],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ]);
  }
  if (kty === "OKP") {
    return new Map<number, Cbor>([
      [1, 1],
      [3, algorithm],
      [-1, 6],
      [-2, bytesOf(x)],
    ]);
  }
  const curve = algorithm === ALGORITHMS.ES384.id ? 2 : 1;
  return new Map<number, Cbor>([
    [1, 2],
    [3, algorithm],
    [-1, curve],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ]);
}

function attestedBy({ key, der }: NonNullable<Wrong["attestedBy"]>, signed: Buffer) {
  return new Map<string, Cbor>([
    ["alg", ALGORITHMS.ES256.id],
    ["sig", sign("sha256", signed, key)],
    ["x5c", [der]],
  ]);
}

/** Makes an authenticator at an origin. One that does not count always reports 0, like those that live on several devices. */
export function createAuthenticator(
  origin: string,
  { algorithm = "ES256", counts = true }: { readonly algorithm?: Algorithm; readonly counts?: boolean } = {},
): SoftwareAuthenticator {
  const { id, hash, make } = ALGORITHMS[algorithm];
  const { publicKey, privateKey } = make();
  const credentialId = randomBytes(16).toString("base64url");
  let counter = 0;
  let handle = "";

  function clientData(type: string, asking: Asking, wrong: Wrong): Buffer {
    const { challenge } = asking;
    const data = { type, challenge, origin };
    const { type: otherType = type, challenge: other = challenge, crossOrigin = false } = wrong;
    const told = crossOrigin === "absent" ? {} : { crossOrigin };
    const changed = { origin: wrong.origin ?? origin, ...told };
    const { topOrigin } = wrong;
    const text = JSON.stringify({ ...data, ...changed, topOrigin, type: otherType, challenge: other });
    return Buffer.from(`${wrong.before ?? ""}${text}`);
  }
  function authenticatorData(rpId: string, wrong: Wrong, attested = Buffer.alloc(0)): Buffer {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    const flags = (wrong.flags ?? USER_PRESENT | USER_VERIFIED) | (attested.length > 0 ? ATTESTED : 0);
    const rpIdHash = createHash("sha256")
      .update(wrong.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.of(flags), count, attested]);
  }

  return {
    credentialId,
    create(asking, wrong = {}) {
      const client = clientData("webauthn.create", asking, wrong);
      handle = asking.user?.id ?? "";
      const length = Buffer.of(0, bytesOf(credentialId).length);
      const key = encodeCbor(new Map([...presentKey(publicKey, id), ...(wrong.key ?? [])]));
      const attested = Buffer.concat([Buffer.alloc(16), length, bytesOf(credentialId), key]);
      const data = authenticatorData(asking.rp?.id ?? "", wrong, attested);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      const attestation = wrong.attestedBy && attestedBy(wrong.attestedBy, signed);
      const attestationObject = encodeCbor(
        new Map<string, Cbor>([
          ["fmt", wrong.format ?? (attestation ? "packed" : "none")],
          ["attStmt", wrong.statement ?? attestation ?? new Map()],
          ["authData", data],
        ]),
      );
      return JSON.stringify({
        id: wrong.credentialId ?? credentialId,
        clientDataJSON: client.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
      });
    },
    get(asking, wrong = {}) {
      const client = clientData("webauthn.get", asking, wrong);
      const data = authenticatorData(asking.rpId ?? "", wrong);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      const signature = sign(hash, signed, privateKey);
      if (wrong.signature) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return JSON.stringify({
        id: wrong.credentialId ?? credentialId,
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: wrong.userHandle ?? handle,
      });
    },
  };
}

/** Options for an authenticator, from the button of a page that has them. */
export function readAsking(html: string, ceremony: "get" | "create", after = ""): Asking {
  const from = html.slice(Math.max(0, html.indexOf(after)));
  const [, text = ""] = new RegExp(`data-passkey="${ceremony}"[^>]*data-asking="([^"]*)"`).exec(from) ?? [];
  if (text === "") throw new Error(`the page asks for no ${ceremony}`);
  return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&"));
}
