import { readdirSync } from "node:fs";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../../packages/resource/src/payments/payment-store-postgres.ts";
import { openOlderDatabase } from "../bank/older-database.ts";
import { DOMESTIC, NOW, sampleTerms } from "./sample-payments.ts";

const BEFORE = readdirSync(MIGRATIONS_DIRECTORY).filter((name) => name < "0025");

const OLD_PAYMENT = `WITH entered AS (
  INSERT INTO payment (payment_id, organisation_identifier, application_id, psu_id, consent_id, account_id,
      instruction_identification, order_content, execution_date, is_changed, order_text, digest, created_at, expires_at,
      state, moves, moved_at, sign_id, earlier_sign_ids, approval_id, approval_digest, approval_methods, approved_at)
    VALUES ($1, 'PSDCZ-CNB-1', 'app', 'anna', 'consent', 'a1', $1, '{}', '2026-08-03', false, $2, $3, $4, $4,
      $5, 3, $4, $1, '{}', $1, $3, '{totp}', $4))
  INSERT INTO payment_outbox (payment_id, step, due_at, attempts) VALUES ($1, $6, $4, 1)`;

describe("the migrated payments before the bank of an older version", () => {
  let database: Database;
  afterEach(() => database.close());

  /** Puts a payment before the bank as that version did. */
  async function putBeforeBank(state: string, changed: Partial<typeof DOMESTIC>): Promise<string> {
    const id = createPaymentId();
    const { orderText, digest } = sampleTerms({ id, order: { ...DOMESTIC, ...changed } });
    const step = state === "accepted" ? "settle" : "hand_over";
    await database.run({ name: "", text: OLD_PAYMENT, values: [id, orderText, digest, NOW, state, step] });
    return id;
  }

  it("are found apart from all others if they are instant, at any step", async () => {
    const { bringUpToDate, ...older } = await openOlderDatabase(BEFORE);
    ({ database } = older);
    const instant: string[] = [];
    for (const state of ["approved", "handed_over", "accepted"]) {
      await putBeforeBank(state, {});
      await putBeforeBank(state, { unstructured: '"priority":"INST"' });
      instant.push(await putBeforeBank(state, { priority: "INST" }));
    }
    await bringUpToDate();
    const terms = { limit: 9, leaseMilliseconds: 60_000 };
    const due = await createPaymentStore(database).dueInstant(terms);
    expect(due.map(({ paymentId }) => paymentId)).to.have.members(instant);
  });
});
