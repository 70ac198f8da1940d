import { expect } from "chai";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { parseKnownSignings } from "../../../packages/resource/src/signing/parse-known-signings.ts";
import { signingAtAuth } from "../../../packages/resource/src/signing/signing-at-auth.ts";
import { SigningRefusal } from "../../../packages/resource/src/signing/signing-refusal.ts";
import { rejectionOf } from "../../support/rejection.ts";

const ID = "AAAAAAAAAAAAAAAAAAAAAA";
const named = [1, 2].map(() => ({ paymentId: createPaymentId(), signId: createSignId() }));
const [one, other] = named;
const KNOWN = { id: ID, ...one };

describe("Auth's answer about the attempts that it knows", () => {
  it("is read with the request of each attempt", () => {
    const text = JSON.stringify({ requests: [KNOWN] });
    expect(parseKnownSignings(text, named)).to.deep.equal([{ ...one, requestId: ID }]);
    expect(parseKnownSignings('{"requests":[]}', named)).to.deep.equal([]);
  });

  for (const [what, value] of [
    ["nothing", null],
    ["no list", { requests: { 0: KNOWN } }],
    ["a list of nothing", { requests: [null] }],
    ["no id of a request", { requests: [{ ...KNOWN, id: "x y" }] }],
    ["a payment that was not asked about", { requests: [{ ...KNOWN, paymentId: createPaymentId() }] }],
    ["the attempt of another payment", { requests: [{ ...KNOWN, signId: other?.signId }] }],
  ] as const)
    it(`is not believed: ${what}`, () => {
      expect(() => parseKnownSignings(JSON.stringify(value), named))
        .to.throw(SigningRefusal)
        .with.property("code", "answer_malformed");
    });

  it("is asked for by ids alone, repeatably, and counts only with status 200", async () => {
    const asked: unknown[] = [];
    const never = () => Promise.reject(new TypeError("nobody should ask so"));
    const authority = (status: number) =>
      signingAtAuth({
        get: never,
        delete: never,
        postJson: async (path, value, _headers, nature) => {
          asked.push([path, value, nature]);
          return { status, header: () => undefined, body: '{"requests":[]}' };
        },
      });
    const more = named.map((each) => ({ ...each, expiresAt: new Date() }));
    expect(await authority(200).findKnown(more)).to.deep.equal([]);
    expect(asked).to.deep.equal([["/known-signing-requests", { signings: named }, { repeatable: true }]]);
    expect(await rejectionOf(authority(404).findKnown(named))).to.include({
      code: "answer_status",
      reason: "signing was answered with 404",
    });
  });
});
