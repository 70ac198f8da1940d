import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { signingAtAuth } from "../../../packages/resource/src/signing/signing-at-auth.ts";
import type { SigningAuthority } from "../../../packages/resource/src/signing/signing-authority.ts";
import { SigningRefusal } from "../../../packages/resource/src/signing/signing-refusal.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { NOW, requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const { organisationIdentifier } = sampleTerms();
const PAYER = {
  organisationIdentifier,
  applicationId: parseApplicationId("application-1"),
  psu: parsePsuId("anna"),
};
const [paymentId, signId] = [createPaymentId(), createSignId()];
const WANTED = {
  payment: { ...PAYER, id: paymentId, expiresAt: NOW, orderText: "{}", digest: Buffer.alloc(32) },
  signId,
  tpp: { thumbprint: thumbprintOf(Buffer.of(1)), twinThumbprint: undefined },
  returnUrl: undefined,
  onBehalf: { requestId: "request", traceContext: undefined },
};

/** Table: every question about approvals. */
const QUESTIONS: Readonly<Record<keyof SigningAuthority, (authority: SigningAuthority) => Promise<unknown>>> =
  {
    ask: (authority) => authority.ask(WANTED),
    findKnown: (authority) => authority.findKnown([{ paymentId, signId }]),
    find: (authority) => authority.find(requestNamed("R-1")),
    cancel: (authority) => authority.cancel(requestNamed("R-1")),
    hasConsentEnded: (authority) => authority.hasConsentEnded(PAYER),
  };

/** Auth answers all questions with this status. */
function authorityAnswering(status: number): SigningAuthority {
  const answer = async () => ({ status, header: () => undefined, body: '{"error":"server_error"}' });
  return signingAtAuth({ get: answer, postJson: answer, delete: answer });
}

describe("A question to auth about approvals", () => {
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`counts as not answered while auth's database is unreachable: ${name}`, async () => {
      const failure = await rejectionOf(ask(authorityAnswering(503)));
      expect(failure).to.be.instanceOf(PrivateServiceUnavailable);
      expect(failure).to.include({ reason: "signing was answered with 503" });
    });

    it(`is answered in a way that cannot be believed with another status: ${name}`, async () => {
      const failure = await rejectionOf(ask(authorityAnswering(500)));
      expect(failure).to.be.instanceOf(SigningRefusal);
      expect(failure).to.include({ code: "answer_status", reason: "signing was answered with 500" });
    });
  }
});
