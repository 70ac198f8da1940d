import { parseAccountId, parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import { DatabaseUnreachable } from "@cobs/service-edge";
import { expect } from "chai";
import type { PsuAdmission } from "../../../packages/resource/src/admission/admission.ts";
import { type EntryParts, enterPayment } from "../../../packages/resource/src/initiation/enter-payment.ts";
import type { ConsentId } from "../../../packages/resource/src/introspection/token-introspection.ts";
import { queuePayers } from "../../../packages/resource/src/signing/queue-payers.ts";
import { changedPayment, NOW, TERMS } from "../../cobs-model/payment/sample-payments.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { rejectionOf } from "../../support/rejection.ts";

const ORGANISATION = parseOrganisationIdentifier("PSDCZ-CNB-1");
const ADMISSION: PsuAdmission = {
  kind: "psu",
  tpp: {
    organisationIdentifier: ORGANISATION,
    organisationName: "TPP",
    country: "CZ",
    authority: { id: "CZ-CNB", name: "Czech National Bank" },
    roles: ["PSP_PI"],
    thumbprint: thumbprintOf(Buffer.from("certificate")),
    twinThumbprint: undefined,
    serialNumber: "01",
    issuer: "CN=issuer",
    notBefore: NOW,
    notAfter: NOW,
  },
  applicationId: parseApplicationId("application-1"),
  psu: parsePsuId("psu-1"),
  consentId: "consent-1" as ConsentId,
  service: "pisp",
  accounts: [],
  authenticatedAt: undefined,
};

describe("the entry of a payment", () => {
  it("whose answer from the database is lost still ends the payment if its consent has ended meanwhile", async () => {
    const payers = queuePayers();
    const { applicationId, psu } = ADMISSION;
    const clock = movableClock();
    clock.setWall(NOW.getTime() - clock.now().getTime());
    const heard = payers.heard();
    const parts: EntryParts = {
      bank: {
        terms: async () => TERMS,
        accountsOf: async () => [],
        currenciesOf: async () => [],
        inspectOrder: async () => ({ account: parseAccountId("account-1"), fee: undefined, faults: [] }),
      },
      store: {
        enter: async () => {
          payers.take({ kind: "payment_consent", applicationId, psu });
          payers.takeAll();
          throw new DatabaseUnreachable(new Error("the answer to COMMIT was lost"));
        },
        findEntered: async () => undefined,
        findInstruction: async () => undefined,
      },
      countEntry: () => {},
      payers,
      clock,
      unsignedPaymentMinutes: 30,
    };
    const body = changedPayment("domestic", "amount.instructedAmount.value", 1);
    const input = { body, idempotency: undefined, heard, requestId: "request-1", faults: [] };
    expect(await rejectionOf(enterPayment(parts, ADMISSION, input))).to.be.instanceOf(DatabaseUnreachable);
    expect(payers.takeAll()).to.deep.equal([{ organisationIdentifier: ORGANISATION, applicationId, psu }]);
  });
});
