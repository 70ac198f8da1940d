/** The only place where tests read the environment. */

/** Rounds of the suite that kills processes: one for each process by default, twenty in `npm run faults`. */
export const KILL_ROUNDS = Number(process.env.COBS_TEST_KILL_ROUNDS ?? "4");

/** Whether store contracts run on Debian's PostgreSQL too; the gate asks for it, and fails where it is missing. */
export const DEBIAN_POSTGRES_REQUIRED = Boolean(process.env.COBS_TEST_DEBIAN_POSTGRES);
