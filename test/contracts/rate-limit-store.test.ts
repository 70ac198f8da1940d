import {
  createRateLimitStore,
  forgetEmptyBuckets,
} from "../../packages/auth/src/limits/rate-limit-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { describeRateLimitStore } from "./rate-limit-store-contract.ts";

describeRateLimitStore("in PostgreSQL", async () => {
  const databases = await twoProcesses();
  const run = <Row>(name: string, text: string) => databases[0].run<Row>({ name, text, values: [] });
  return {
    one: createRateLimitStore(databases[0]),
    other: createRateLimitStore(databases[1]),
    tidy: async () => {
      await databases[1].run(forgetEmptyBuckets(10));
    },
    clear: async () => {
      await run("truncate", "TRUNCATE rate_limit");
    },
    count: async () => {
      const [row] = await run<{ count: number }>("count", "SELECT count(*)::int4 AS count FROM rate_limit");
      return row?.count ?? 0;
    },
    kept: async () =>
      Buffer.from(JSON.stringify(await run("all", "SELECT * FROM rate_limit"))).toString("latin1"),
    close: () => Promise.all(databases.map((database) => database.close())),
  };
});
