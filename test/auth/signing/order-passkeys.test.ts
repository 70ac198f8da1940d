import { createSecretKey } from "node:crypto";
import { expect } from "chai";
import { createOrderPasskeys } from "../../../packages/auth/src/approval/order-passkeys.ts";
import type { OwnRequest } from "../../../packages/auth/src/approval/send-code.ts";
import type { Passkey } from "../../../packages/auth/src/psu/passkeys/passkey.ts";
import type { PasskeyProof, Passkeys } from "../../../packages/auth/src/psu/passkeys/passkeys.ts";
import { createSigningRequestId } from "../../../packages/auth/src/signing/signing-request-id.ts";
import { NOW, WAITING_REQUEST } from "./sample-request.ts";

const OWN: OwnRequest = { request: WAITING_REQUEST, browser: "session-1" };
const OLD: Passkey = {
  id: "passkey-1",
  psu: WAITING_REQUEST.psu,
  credentialId: "a2V5",
  publicKey: new Uint8Array(),
  counter: 1,
  name: "phone",
  addedAt: new Date(0),
  lastUsedAt: undefined,
};
const MILLISECONDS = 5 * 60_000;
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

/** Passkeys that prove what they are told to, if the answer is to the challenge that was asked. */
function passkeysOf(proof: PasskeyProof) {
  const asked: unknown[] = [];
  const passkeys = {
    store: { list: async () => [OLD] },
    ask: (challenge: unknown) => void asked.push(challenge),
    prove: async (_: string, { challenge }: { readonly challenge: unknown }) =>
      asked.includes(challenge) ? proof : { result: "nothing" },
  };
  return createOrderPasskeys(passkeys as unknown as Passkeys, createSecretKey(Buffer.alloc(32, 7)));
}

describe("A question to a passkey about an order", () => {
  const proven = passkeysOf({ result: "proven", psu: OWN.request.psu, passkey: OLD.id });
  async function take(own: OwnRequest, now = NOW, passkeys = proven) {
    const { seal = "" } = (await passkeys.ask(OWN, NOW)) ?? {};
    return passkeys.take(own, { seal, assertion: "answer" }, now);
  }
  const { request } = OWN;

  it("proves the PSU of this order, by its digest", async () => {
    const proof = { passkey: OLD.id, psu: request.psu, request: request.id, digest: request.order.digest };
    expect(await take(OWN)).to.deep.equal({ element: "passkey", proof });
  });

  const others: Readonly<Record<string, OwnRequest>> = {
    "its order says something else by now": {
      ...OWN,
      request: { ...request, order: { ...request.order, digest: Buffer.alloc(32) } },
    },
    "it was about another request for the same order": {
      ...OWN,
      request: { ...request, id: createSigningRequestId() },
    },
    "it was asked in another session": { ...OWN, browser: "session-2" },
  };
  for (const [what, own] of Object.entries(others)) {
    it(`proves nobody when ${what} (RTS Article 5(1)(b))`, async () => {
      expect(await take(own)).to.deep.equal({ element: "passkey", proof: undefined });
    });
  }

  it("is good for less than five minutes (RTS Article 4(3)(d))", async () => {
    expect(await take(OWN, later(MILLISECONDS - 1))).to.have.nested.property("proof.psu");
    expect(await take(OWN, later(MILLISECONDS))).to.equal("late");
  });

  it("makes no try of an answer that was taken before, as on a second press", async () => {
    expect(await take(OWN, NOW, passkeysOf({ result: "counted_before" }))).to.equal(undefined);
    const nothing = await take(OWN, NOW, passkeysOf({ result: "nothing" }));
    expect(nothing).to.deep.equal({ element: "passkey", proof: undefined });
  });
});
