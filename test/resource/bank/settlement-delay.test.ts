import { expect } from "chai";
import { openPayingTpp } from "../../conformance/payments.ts";
import { runSql } from "../../journeys/run-sql.ts";
import { eventually } from "../../support/eventually.ts";
import { type RunningResource, runResource } from "../running-resource.ts";

const DAY_SECONDS = 86_400;

describe("The settlement delay of the sandbox bank", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource({ SANDBOX_SETTLEMENT_SECONDS: String(DAY_SECONDS) });
  });
  after(() => resource.stop());

  it("passes before a payment is booked, except an instant one (COBS 3.2.5)", async () => {
    const tpp = await openPayingTpp(resource);
    const normal = await tpp.start({ paymentTypeInformation: { instructionPriority: "NORM" } });
    const instant = await tpp.start();
    for (const { request } of [normal, instant]) resource.auth.signing.approve(request.id);
    await eventually(async () => (await tpp.statusOf(instant.paymentId)) === "ACSC");
    const due =
      "SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM sandbox_order WHERE payment_id = $1";
    const read = () => runSql(resource.environment.DATABASE_URL ?? "", due, [normal.paymentId]);
    await eventually(async () => (await read()).length === 1);
    expect(Object((await read())[0]).seconds).to.be.greaterThan(DAY_SECONDS - 60);
    expect(await tpp.statusOf(normal.paymentId)).to.equal("ACSP");
  });
});
