import { expect } from "chai";
import { openPayingTpp, PAYMENTS } from "../conformance/payments.ts";
import { eventually } from "../support/eventually.ts";
import { ACCOUNTS } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

/** What goes on without a call for payments and balance checks that were taken before. */
const JOBS = [
  "payment_execution",
  "payment_places",
  "payments_expiry",
  "signings_taking",
  "signings_sweeping",
  "payment_consents",
  "payments_forgetting",
  "balance_checks_forgetting",
];

describe("A bank that offers no payments (COBS PDF 1.2.10)", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource({ PAYMENTS: "off" });
  });
  after(() => resource.stop());

  it("refuses payments with 501 in the standard's format, and serves accounts", async () => {
    const tpp = await openPayingTpp(resource);
    const refused = await tpp.send("POST", PAYMENTS, tpp.order());
    expect(refused.status).to.equal(501);
    expect(JSON.parse(refused.body).errors).to.deep.equal([
      {
        error: "NOT_IMPLEMENTED",
        scope: null,
        parameters: null,
        message: "this resource is not offered by this bank",
      },
    ]);
    expect((await resource.call({ path: ACCOUNTS, token: resource.giveToken() })).status).to.equal(200);
  });

  it("refuses them so whatever the token, because auth gives none for payments, and admits the TPP first", async () => {
    const post = async (call: { readonly certificate?: string | null; readonly token?: string }) =>
      (await resource.call({ method: "POST", path: PAYMENTS, ...call })).status;
    expect(await post({ token: resource.giveToken("aisp-pisp", { scope: "aisp" }) })).to.equal(501);
    expect(await post({})).to.equal(501);
    expect(await post({ certificate: "aisp" })).to.equal(403);
    expect(await post({ certificate: null })).to.equal(401);
  });

  it("goes on with the jobs for payments that it took before", async () => {
    for (const job of JOBS)
      await eventually(
        async () => (await resource.metric(`job_rounds_total{name="${job}",outcome="done"`)) > 0,
      );
  });
});
