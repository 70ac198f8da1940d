import { createEphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { describeEphemeralStore } from "./ephemeral-store-contract.ts";

describeEphemeralStore("in PostgreSQL", async () => {
  const databases = await twoProcesses();
  return {
    one: createEphemeralStore(databases[0]),
    other: createEphemeralStore(databases[1]),
    kept: async () => {
      const text = "SELECT e::text AS row FROM ephemeral_record e";
      const rows = await databases[0].run<{ row: string }>({ name: "e", text, values: [] });
      return rows.map(({ row }) => row).join();
    },
    close: () => Promise.all(databases.map((database) => database.close())),
  };
});
