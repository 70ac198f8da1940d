/**
 * PostgreSQL in trouble: restarted, stopped, hung, and failed over to its standby. Each commit waits for the standby, so that
 * nothing that was answered is lost with the primary. The order matters: the last case swaps the two servers.
 */
import { plan } from "../fault-case.ts";
import { type FaultBank, openFaultBank } from "../scene/fault-bank.ts";
import { type Trouble, underLoad } from "../trouble.ts";

interface Scene {
  readonly bank: FaultBank;
}

const STOPPED_MILLISECONDS = 30_000;
const HUNG_MILLISECONDS = 12_000;
const DETECTION_MILLISECONDS = 3_000;

const TROUBLES: readonly Trouble<Scene>[] = [
  {
    name: "postgres/restarted",
    quick: true,
    begin: ({ bank }) => bank.pair.primary.stop("fast"),
    milliseconds: 0,
    mend: ({ bank }) => bank.pair.primary.start(),
  },
  {
    name: "postgres/crashed",
    begin: ({ bank }) => bank.pair.primary.stop("immediate"),
    milliseconds: 0,
    mend: ({ bank }) => bank.pair.primary.start(),
  },
  {
    name: "postgres/stopped-30-s",
    begin: ({ bank }) => bank.pair.primary.stop("fast"),
    milliseconds: STOPPED_MILLISECONDS,
    mend: ({ bank }) => bank.pair.primary.start(),
  },
  {
    name: "postgres/hung",
    begin: ({ bank }) => bank.pair.primary.hang(),
    milliseconds: HUNG_MILLISECONDS,
    mend: ({ bank }) => bank.pair.primary.resume(),
  },
  {
    name: "postgres/standby-lost",
    begin: ({ bank }) => bank.pair.standby.stop("fast"),
    milliseconds: HUNG_MILLISECONDS,
    mend: ({ bank }) => bank.pair.standby.start(),
  },
  {
    name: "postgres/failed-over",
    begin: ({ bank }) => bank.pair.primary.hang(),
    milliseconds: DETECTION_MILLISECONDS,
    mend: ({ bank }) => bank.pair.standby.promote(),
  },
  {
    // The former primary is not fenced: it accepts writes, and every service must ignore it.
    name: "postgres/former-primary-returns",
    begin: ({ bank }) => bank.pair.primary.resume(),
    milliseconds: DETECTION_MILLISECONDS,
    mend: async () => undefined,
    goesOn: ["reads", "tokens", "pages", "writes", "revocations"],
  },
];

export const POSTGRES = plan<Scene>({
  open: async (parts) => ({ bank: await openFaultBank(parts) }),
  close: ({ bank }) => bank.close(),
  cases: TROUBLES.map(underLoad),
});
