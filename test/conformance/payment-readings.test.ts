/** Readings of the standard where its own sources contradict each other, as a TPP sees them. */
import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { openPayingTpp, PAYMENTS, type PayingTpp, signingOf } from "./payments.ts";

const UNKNOWN = "0".repeat(32);
const ADDRESS = "creditor.postalAddress";
const OUTSIDE_EEA = {
  paymentTypeInformation: { instructionPriority: "NORM" },
  amount: { instructedAmount: { value: 10, currency: "USD" } },
  creditorAgent: { financialInstitutionIdentification: { bic: "TESTUS33" } },
  creditorAccount: { identification: { other: { identification: "123456789" } } },
};

describe("a payment where the standard is ambiguous", () => {
  let resource: RunningResource;
  let tpp: PayingTpp;
  before(async () => {
    resource = await runResource();
    tpp = await openPayingTpp(resource);
  });
  after(() => resource.stop());

  /** Code and fault path of each error. */
  async function faultsOf(answer: ReturnType<PayingTpp["call"]>): Promise<readonly string[]> {
    const { errors } = JSON.parse((await answer).body);
    return errors.map(({ error, scope }: Record<string, string>) => `${error} ${scope}`);
  }
  const creditor = (postalAddress?: object) => ({ creditor: { name: "Sample Boat Inc.", postalAddress } });

  it("sends the browser with GET and a URL alone, without formData under either of its names (A-50)", async () => {
    const paid = await tpp.pay();
    const answer = await tpp.send("POST", signingOf(paid), { authorizationType: "USERAGENT_REDIRECT" });
    const started = JSON.parse(answer.body);
    expect(started).to.have.all.keys("authorizationType", "href", "method", "signInfo");
    expect(started.method).to.equal("GET");
    expect(started.href).to.have.all.keys("url", "id");
    expect(answer.body).to.not.match(/formData|SAMLRequest|relayState/i);
  });

  it("is TRANSACTION_MISSING if unknown in R6 to R9, while other unknown ids are ID_NOT_FOUND (A-65)", async () => {
    const step = { authorizationType: "USERAGENT_REDIRECT" };
    const sign = signingOf({ paymentId: UNKNOWN, signId: UNKNOWN });
    const payment = `${PAYMENTS}/${UNKNOWN}`;
    const token = resource.giveToken();
    const account = `/cobs/2.0/my/accounts/${UNKNOWN}`;
    const answers = {
      R2: resource.call({ token, path: `${account}/balance` }),
      R3: resource.call({ token, path: `${account}/transactions` }),
      R6: tpp.call({ path: `/cobs/2.0/payments/${UNKNOWN}/status` }),
      R7: tpp.call({ path: payment }),
      R8: tpp.call({ method: "DELETE", path: payment }),
      R9: tpp.send("POST", `${payment}/sign`),
      R10: tpp.call({ path: sign }),
      R11: tpp.send("POST", sign, step),
      R12: tpp.send("PUT", sign, step),
    };
    const told: Record<string, string> = {};
    for (const [resourceName, answer] of Object.entries(answers)) {
      const { status, body } = await answer;
      told[resourceName] = `${status} ${JSON.parse(body).errors[0].error}`;
    }
    const [MISSING, NOT_FOUND] = ["404 TRANSACTION_MISSING", "404 ID_NOT_FOUND"];
    expect(told).to.deep.equal({
      R2: NOT_FOUND,
      R3: NOT_FOUND,
      R6: MISSING,
      R7: MISSING,
      R8: MISSING,
      R9: MISSING,
      R10: NOT_FOUND,
      R11: NOT_FOUND,
      R12: NOT_FOUND,
    });
  });

  it("needs the account that pays, whatever its type (A-69)", async () => {
    for (const type of [{}, { ...OUTSIDE_EEA, ...creditor({ country: "US" }) }]) {
      const answer = tpp.send("POST", PAYMENTS, tpp.order({ ...type, debtorAccount: undefined }));
      expect(await faultsOf(answer)).to.deep.equal(["FIELD_MISSING debtorAccount"]);
    }
  });

  it("outside the EEA needs an address of the payee with at least one part (A-71)", async () => {
    for (const address of [undefined, {}, { streetName: "" }, { addressLine: [] }]) {
      const answer = tpp.send("POST", PAYMENTS, tpp.order({ ...OUTSIDE_EEA, ...creditor(address) }));
      expect(await faultsOf(answer), JSON.stringify(address)).to.deep.equal([`RR03 ${ADDRESS}`]);
    }
    for (const address of [{ country: "US" }, { townName: "New York" }, { addressLine: ["1256 Grand St"] }])
      await tpp.pay({ ...OUTSIDE_EEA, ...creditor(address) });
  });
});
