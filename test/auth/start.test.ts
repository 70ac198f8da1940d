import { expect } from "chai";
import { runAuth } from "./running-auth.ts";

const OWN_CONNECTIONS = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE application_name = 'auth' AND datname = current_database()`;

describe("The start of auth", () => {
  it("opens at most four database connections, because background jobs start one after the other", async () => {
    const auth = await runAuth();
    try {
      const { rows } = await auth.database.pool.query<{ n: number }>(OWN_CONNECTIONS);
      expect(rows[0]?.n).to.be.within(1, 4);
    } finally {
      await auth.stop();
    }
  });
});
