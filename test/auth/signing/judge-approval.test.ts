import { createSecretKey } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { judgeApproval, MOST_TRIES } from "../../../packages/auth/src/signing/judge-approval.ts";
import { parseOrder } from "../../../packages/auth/src/signing/order.ts";
import type { OrderProof } from "../../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../../packages/auth/src/signing/signing-request-id.ts";
import { canonicalOrder, SEPA_ORDER } from "./sample-orders.ts";
import { NOW, WAITING_REQUEST } from "./sample-request.ts";

const KEY = createSecretKey(Buffer.alloc(32, 7));
const PROOF: OrderProof = {
  passkey: "passkey-1",
  psu: WAITING_REQUEST.psu,
  request: WAITING_REQUEST.id,
  digest: WAITING_REQUEST.order.digest,
};

describe("The proof of a passkey, judged by the order as it is then (RTS Article 5(1))", () => {
  const judge = (proof: OrderProof | undefined, tries = 0) =>
    judgeApproval(
      KEY,
      { signedInBy: ["password", "totp"], element: { element: "passkey", proof } },
      NOW,
    )({ ...WAITING_REQUEST, tries });

  it("approves this order, with all methods that were used", () => {
    const move = judge({ ...PROOF, digest: Buffer.from(PROOF.digest) });
    if (move.move !== "approve") throw new Error("it is not approved");
    expect(move.approval).to.deep.include({
      digest: WAITING_REQUEST.order.digest,
      methods: ["password", "totp", "passkey"],
    });
  });

  const others: Readonly<Record<string, OrderProof | undefined>> = {
    "nothing is proven": undefined,
    "it is of another PSU": { ...PROOF, psu: parsePsuId("psu-karel") },
    "it is of another request for the same order": { ...PROOF, request: createSigningRequestId() },
    "it is of an order that says something else": {
      ...PROOF,
      digest: parseOrder(canonicalOrder(SEPA_ORDER)).digest,
    },
  };
  for (const [how, proof] of Object.entries(others))
    it(`counts as a try when ${how}, and refuses the order with the last one (RTS Article 4(3)(b))`, () => {
      expect(judge(proof, MOST_TRIES - 2)).to.deep.equal({ move: "count_try" });
      expect(judge(proof, MOST_TRIES - 1)).to.deep.equal({ move: "refuse", reason: "tries_exhausted" });
    });
});
