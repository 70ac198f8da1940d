import { expect } from "chai";
import { openMigratedDatabase } from "../bank/migrated-database.ts";

describe("payments on their way to the bank", () => {
  it("are found by an index, however many payments have ended", async () => {
    const database = await openMigratedDatabase();
    try {
      const { rows } = await database.pool.query<{ definition: string }>(
        "SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indexrelid = to_regclass('payment_before_bank')",
      );
      expect(rows.map(({ definition }) => definition).join()).to.match(/\(moved_at\) WHERE .*approved/);
    } finally {
      await database.close();
    }
  });
});
