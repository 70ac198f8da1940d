/**
 * Faults behind PgBouncer in transaction mode, where each statement may run on another connection of the server. The plan
 * includes it only if `--pgbouncer` names a program of version 1.21 or newer, because Debian 12 has an older one.
 */
import { type PgBouncer, startPgBouncer } from "../../../test/support/pgbouncer.ts";
import { type PlannedGroup, plan } from "../fault-case.ts";
import { type FaultBank, openFaultBank } from "../scene/fault-bank.ts";
import { type Trouble, underLoad } from "../trouble.ts";

interface Scene {
  readonly bank: FaultBank;
  readonly pooler: PgBouncer;
}

const WORKING_MILLISECONDS = 10_000;
const AWAY_MILLISECONDS = 3_000;

const TROUBLES: readonly Trouble<Scene>[] = [
  {
    name: "pgbouncer/transaction-mode",
    begin: async () => undefined,
    milliseconds: WORKING_MILLISECONDS,
    mend: async () => undefined,
    goesOn: ["reads", "tokens", "pages", "writes", "revocations"],
  },
  {
    name: "pgbouncer/restarted",
    begin: ({ pooler }) => pooler.kill(),
    milliseconds: AWAY_MILLISECONDS,
    mend: ({ pooler }) => pooler.start(),
  },
  {
    name: "pgbouncer/server-restarted-behind-it",
    begin: ({ bank }) => bank.pair.primary.stop("fast"),
    milliseconds: 0,
    mend: ({ bank }) => bank.pair.primary.start(),
  },
];

/** Plans the cases with this program. */
export function planPgBouncer(program: string): PlannedGroup {
  return plan<Scene>({
    open: async (parts) => {
      const poolers: PgBouncer[] = [];
      const bank = await openFaultBank(parts, {
        reach: async ({ urls, single, primary }) => {
          const pooler = await startPgBouncer(program, single);
          poolers.push(pooler);
          // A pooler does not pass on session limits, so the role has them.
          for (const role of ["auth", "resource"])
            await primary.sql(`ALTER ROLE ${role} SET statement_timeout = '2500ms'`);
          const [auth = "", resource = ""] = urls;
          return { urls: urls.map(pooler.through), direct: { auth, resource } };
        },
      });
      const [pooler] = poolers;
      if (pooler === undefined) throw new TypeError("it was started before the bank");
      return { bank, pooler };
    },
    close: async ({ bank, pooler }) => {
      await bank.close();
      await pooler.stop();
    },
    cases: TROUBLES.map(underLoad),
  });
}
