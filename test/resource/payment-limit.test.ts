import { expect } from "chai";
import { openPayingTpp, PAYMENTS, type PayingTpp } from "../conformance/payments.ts";
import { runSql } from "../journeys/run-sql.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { expectLater } from "./expect-later.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const ALLOWED = 10;
/** Until one more is allowed. */
const WAIT_SECONDS = 6;
const CALLS = 50;

describe("payments entered by one TPP (RFC 6585 section 4)", function limit() {
  this.timeout(120_000);
  let resource: RunningResource;
  let tpp: PayingTpp;
  beforeEach(async () => {
    resource = await runResource({ PAYMENTS_PER_MINUTE: `${ALLOWED}` });
    tpp = await openPayingTpp(resource);
  });
  afterEach(() => resource.stop());

  const enter = (call: object = {}, by = tpp) => by.send("POST", PAYMENTS, by.order(), call);
  const statusOf = async (entering: Promise<RawAnswer>) => (await entering).status;
  const stored = async () =>
    (await runSql(resource.environment.DATABASE_URL ?? "", "SELECT FROM payment")).length;
  async function useUp(): Promise<void> {
    for (let call = 0; call < ALLOWED; call += 1) expect(await statusOf(enter())).to.equal(200);
    expect(await statusOf(enter())).to.equal(429);
  }

  it("are accepted up to the limit when many come at once; nothing of the rest is kept", async () => {
    const statuses = await Promise.all(Array.from({ length: CALLS }, () => statusOf(enter())));
    expect(statuses.filter((status) => status === 200)).to.have.length(ALLOWED);
    expect(statuses.filter((status) => status === 429)).to.have.length(CALLS - ALLOWED);
    expect(await stored()).to.equal(ALLOWED);
    expect(await resource.metric('access_limits_total{limit="payments"')).to.equal(CALLS - ALLOWED);
  });

  it("are refused with the time when the next one is accepted, and accepted from then on", async () => {
    await useUp();
    const refused = await enter();
    expectLater(resource, refused, {
      seconds: WAIT_SECONDS,
      message:
        "you have entered too many payments for now; a payment sent again with its Idempotency-Key is still answered",
      logged: { refusal: "payment_limit" },
    });
    resource.clock.advance(WAIT_SECONDS * 1000 - 1);
    expect(await statusOf(enter())).to.equal(429);
    resource.clock.advance(1);
    expect(await statusOf(enter())).to.equal(200);
    expect(await statusOf(enter())).to.equal(429);
  });

  it("are counted for each TPP: none uses up what another may enter", async () => {
    await useUp();
    const other = await openPayingTpp(resource, "second-tpp");
    expect(await statusOf(enter({}, other))).to.equal(200);
  });

  it("do not count when their idempotency key is already known (PAY-04)", async () => {
    const call = { headers: { "idempotency-key": "key-1" } };
    const body = tpp.order();
    const first = await tpp.send("POST", PAYMENTS, body, call);
    for (let again = 0; again < 2 * ALLOWED; again += 1)
      expect(await statusOf(tpp.send("POST", PAYMENTS, body, call))).to.equal(200);
    for (let call = 1; call < ALLOWED; call += 1) expect(await statusOf(enter())).to.equal(200);
    expect(await statusOf(enter())).to.equal(429);
    expect((await tpp.send("POST", PAYMENTS, body, call)).body).to.equal(first.body);
  });

  it("count with faults too, as the bank was asked about them", async () => {
    const wrong = tpp.order({ amount: { instructedAmount: { value: 0, currency: "CZK" } } });
    for (let call = 0; call < ALLOWED; call += 1)
      expect(await statusOf(tpp.send("POST", PAYMENTS, wrong))).to.equal(400);
    expect(await statusOf(enter())).to.equal(429);
  });
});
