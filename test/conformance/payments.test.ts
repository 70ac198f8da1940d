import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { eventually } from "../support/eventually.ts";
import { expectErrors } from "./account-information.ts";
import { openPayingTpp, PAYMENTS, type PayingTpp, signingOf } from "./payments.ts";

const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };

describe("payments (COBS 3.2.4 to 3.2.11)", () => {
  let resource: RunningResource;
  let tpp: PayingTpp;
  before(async () => {
    resource = await runResource();
    tpp = await openPayingTpp(resource);
  });
  after(() => resource.stop());

  it("are entered, approved by their PSU, executed, and told at each step (COBS 7.4)", async () => {
    const paid = await tpp.start();
    const document = JSON.parse(paid.answer.body);
    expect(document).to.include({ transactionIdentification: paid.paymentId, instructionStatus: "ACTC" });
    expect(document.signInfo).to.deep.equal({ state: "OPEN", signId: paid.signId });
    expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    resource.auth.signing.approve(paid.request.id);
    await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "ACSC");
    expect(await tpp.signStateOf(paid)).to.equal("DONE");
    const detail = JSON.parse((await tpp.call({ path: `${PAYMENTS}/${paid.paymentId}` })).body);
    const signInfo = { state: "DONE", signId: paid.signId };
    expect(detail).to.deep.equal({ ...document, signInfo, instructionStatus: "ACSC" });
  });
});
