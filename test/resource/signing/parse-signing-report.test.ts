import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { createSignId, findSigningRequestId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { parseSigningReport } from "../../../packages/resource/src/signing/parse-signing-report.ts";
import { signingAtAuth } from "../../../packages/resource/src/signing/signing-at-auth.ts";
import { SigningRefusal } from "../../../packages/resource/src/signing/signing-refusal.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const DIGEST = Buffer.alloc(32, 1).toString("base64url");
const OTHER = Buffer.alloc(32, 2).toString("base64url");
const WAITING = {
  id: "AAAAAAAAAAAAAAAAAAAAAA",
  url: "https://localhost:8443/sign/AAAAAAAAAAAAAAAAAAAAAA",
  paymentId: "P-1",
  signId: "S-1",
  digest: DIGEST,
  state: "waiting",
};
const APPROVAL = {
  id: "BBBBBBBBBBBBBBBBBBBBBB",
  digest: DIGEST,
  methods: ["delivered_code"],
  approvedAt: "2026-11-20T10:00:00.000Z",
};

describe("auth's report on an approval", () => {
  it("is read with the payment, the attempt and the digest that it is about", () => {
    const { report, ...about } = parseSigningReport(JSON.stringify(WAITING));
    expect(report).to.deep.equal({ state: "waiting", requestId: WAITING.id, url: WAITING.url });
    expect(about).to.deep.equal({ paymentId: "P-1", signId: "S-1", digest: Buffer.alloc(32, 1) });
  });

  it("is read with the approval of the bytes that the PSU saw (RTS Article 5)", () => {
    const { report } = parseSigningReport(
      JSON.stringify({ ...WAITING, state: "approved", approval: APPROVAL }),
    );
    expect(report).to.deep.include({
      state: "approved",
      approval: {
        id: APPROVAL.id,
        requestId: WAITING.id,
        digest: Buffer.alloc(32, 1),
        methods: APPROVAL.methods,
        approvedAt: new Date(APPROVAL.approvedAt),
      },
    });
  });

  it("is read with the reason of a cancellation only if this is the end of a consent", () => {
    for (const because of ["consent_ended", "another reason", undefined]) {
      const { report } = parseSigningReport(JSON.stringify({ ...WAITING, state: "cancelled", because }));
      const known = because === "consent_ended" ? because : undefined;
      expect(report).to.deep.include({ state: "cancelled", because: known });
    }
  });

  const approved = (changed: object) => ({
    ...WAITING,
    state: "approved",
    approval: { ...APPROVAL, ...changed },
  });
  const wrong: readonly (readonly [what: string, value: unknown])[] = [
    ["nothing", null],
    ["a list", []],
    ["no id", { ...WAITING, id: undefined }],
    ["an address without TLS", { ...WAITING, url: "http://localhost/sign/x" }],
    ["an address that is a script", { ...WAITING, url: "javascript:alert(1)" }],
    ["no digest", { ...WAITING, digest: undefined }],
    ["a digest that is cut short", { ...WAITING, digest: DIGEST.slice(1) }],
    ["a digest in a list", { ...WAITING, digest: [DIGEST] }],
    ["an unknown state", { ...WAITING, state: "done" }],
    ["a refusal without a reason", { ...WAITING, state: "refused" }],
    ["a missing approval", { ...WAITING, state: "approved" }],
    ["an approval of other bytes", approved({ digest: OTHER })],
    ["an approval without methods", approved({ methods: [] })],
    ["an approval whose methods are no list", approved({ methods: "delivered_code" })],
    ["an approval with an invalid method among others", approved({ methods: ["delivered_code", "A code"] })],
    ["an approval with a number among its methods", approved({ methods: ["delivered_code", 7] })],
    ["an approval with a list among its methods", approved({ methods: ["delivered_code", ["passkey"]] })],
    ["an approval with too many methods", approved({ methods: new Array(11).fill("passkey") })],
    ["an approval with an invalid time", approved({ approvedAt: "yesterday" })],
    ["an approval with a day for its time", approved({ approvedAt: "2026-11-20" })],
    ["an approval without an id", approved({ id: undefined })],
  ];
  for (const [what, value] of wrong)
    it(`is not believed: ${what}`, () => {
      expect(() => parseSigningReport(JSON.stringify(value)))
        .to.throw(SigningRefusal)
        .with.property("code", "answer_malformed");
    });
});

const payer = {
  organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-99000011"),
  applicationId: parseApplicationId("application-1", "clientId"),
  psu: parsePsuId("psu-1"),
};

describe("the log of an unreadable answer of auth", () => {
  const detailOf = (body: string) => {
    try {
      parseSigningReport(body);
    } catch (error) {
      if (error instanceof SigningRefusal) return error.detail;
    }
    throw new Error("the answer was read");
  };

  it("names the member and what is wrong with it", () => {
    expect(detailOf(JSON.stringify({ ...WAITING, digest: "short" }))).to.equal(
      "digest is not a SHA-256 in base64url",
    );
    const approval = { ...APPROVAL, digest: "short" };
    expect(detailOf(JSON.stringify({ ...WAITING, state: "approved", approval }))).to.equal(
      "approval.digest is not a SHA-256 in base64url",
    );
  });

  it("shows nothing of the answer's content", () => {
    expect(detailOf('{"psu":petr}')).to.equal("the answer is not JSON");
  });
});

const answering = (body: string, status = 200) => {
  const answer = async () => ({ status, header: () => undefined, body });
  return signingAtAuth({ get: answer, postJson: answer, delete: answer });
};

describe("an answer of auth about another order", () => {
  const payment = sampleTerms();
  const signId = createSignId();
  const tpp = { thumbprint: thumbprintOf(Buffer.of(1)), twinThumbprint: undefined };
  const wanted = {
    payment,
    signId,
    tpp,
    returnUrl: undefined,
    onBehalf: { requestId: "request", traceContext: undefined },
  };
  const right = { ...WAITING, paymentId: payment.id, signId, digest: payment.digest.toString("base64url") };

  it("sends no PSU there, as they would see something else than was ordered (RTS Article 5)", async () => {
    expect(await answering(JSON.stringify(right)).ask(wanted)).to.include({ url: WAITING.url });
    for (const other of [{ paymentId: "P-1" }, { signId: "S-1" }, { digest: OTHER }]) {
      const refusal = await rejectionOf(answering(JSON.stringify({ ...right, ...other })).ask(wanted));
      expect(refusal, JSON.stringify(other)).to.be.instanceOf(SigningRefusal);
      expect(refusal, JSON.stringify(other)).to.have.property("code", "answer_of_other");
    }
  });

  it("decides nothing about the request that was asked about", async () => {
    const auth = answering(JSON.stringify(right));
    for (const question of [auth.find, auth.cancel]) {
      expect(await question(requestNamed(WAITING.id))).to.include({ state: "waiting" });
      const refusal = await rejectionOf(question(requestNamed("another-request")));
      expect(refusal).to.be.instanceOf(SigningRefusal).with.property("code", "answer_of_other");
    }
  });
});

describe("an answer with a status that auth does not give", () => {
  const requestId = requestNamed(WAITING.id);
  const report = JSON.stringify({ ...WAITING, state: "approved", approval: APPROVAL });
  for (const status of [202, 403, 500])
    it(`decides nothing, whatever its body: ${status}`, async () => {
      const [auth, consents] = [answering(report, status), answering('{"ended":true}', status)];
      for (const ask of [
        () => auth.find(requestId),
        () => auth.cancel(requestId),
        () => consents.hasConsentEnded(payer),
      ])
        expect(await rejectionOf(ask()))
          .to.be.instanceOf(SigningRefusal)
          .with.property("code", "answer_status");
    });
});

describe("auth's answer about a consent to payments", () => {
  it("says that it has ended, or that it stands", async () => {
    expect(await answering('{"ended":true}').hasConsentEnded(payer)).to.equal(true);
    expect(await answering('{"ended":false}').hasConsentEnded(payer)).to.equal(false);
  });

  for (const body of ["{}", '{"ended":null}', '{"ended":"false"}', "[]", ""])
    it(`is not believed: ${JSON.stringify(body)}`, async () => {
      const refusal = await answering(body)
        .hasConsentEnded(payer)
        .catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(SigningRefusal).with.property("code", "answer_malformed");
    });
});

describe("a 404 that is not auth's own", () => {
  const lost = async () => ({ status: 404, header: () => undefined, body: '{"error":"not_found"}' });
  const auth = signingAtAuth({ get: lost, postJson: lost, delete: lost });
  const requestId = findSigningRequestId(WAITING.id);
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    "that a consent stands": () => auth.hasConsentEnded(payer),
    "that there is no request": async () => requestId && auth.find(requestId),
    "that there is no request to end": async () => requestId && auth.cancel(requestId),
  };
  for (const [what, ask] of Object.entries(questions))
    it(`does not say ${what}`, async () => {
      const refusal = await ask().catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(SigningRefusal).with.property("code", "answer_status");
    });
});
