/** The only module in which tests read variables of their own. */
import { existsSync } from "node:fs";

/** Rounds of the suite that kills processes: by default one for each process, and twenty in `npm run faults`. */
export const KILL_ROUNDS = Number(process.env.COBS_TEST_KILL_ROUNDS ?? "4");

/**
 * Rounds of the suite that kills processes in the middle of payments, with one kill of each process per round: one by default,
 * twenty in `npm run faults`.
 */
export const PAYMENT_KILL_ROUNDS = Number(process.env.COBS_TEST_PAYMENT_KILL_ROUNDS ?? "1");
/** Seed that repeats its rounds; without it each run picks others. */
export const PAYMENT_FAULT_SEED = process.env.COBS_TEST_PAYMENT_FAULT_SEED;

/** Payments that are approved and deleted at the same time through both services; `npm run test:payments` has fifty. */
export const RACED_PAYMENTS = Number(process.env.COBS_TEST_RACED_PAYMENTS ?? "12");

/** Rounds of the suite that ends things under load: by default one for each kind, and twenty in `npm run faults`. */
export const ENDING_ROUNDS = Number(process.env.COBS_TEST_ENDING_ROUNDS ?? "6");
/**
 * Pause between the calls of each of the suite's six callers, which together then call about eighty times a second. `npm run faults`
 * sets the number of rounds and has the machine to itself, so it pauses for 0 ms.
 */
export const ENDING_PAUSE_MILLISECONDS = process.env.COBS_TEST_ENDING_ROUNDS === undefined ? 80 : 0;

/** Calls per second during key rotation: few by default, 200 in `npm run faults:keys`. */
export const ROTATION_RATE = Number(process.env.COBS_TEST_ROTATION_RATE ?? "12");

/** Number of generated calls: few by default. Another seed generates others. */
export const FUZZED_CALLS = Number(process.env.COBS_TEST_FUZZED_CALLS ?? "400");
export const FUZZ_SEED = Number(process.env.COBS_TEST_FUZZ_SEED ?? "2018");

/**
 * Number of generated payment histories: against the moves alone and, fewer by default, against PostgreSQL (300 in `npm run
 * test:payments`).
 */
export const PAYMENT_HISTORIES = Number(process.env.COBS_TEST_PAYMENT_HISTORIES ?? "10000");
export const STORED_PAYMENT_HISTORIES = Number(process.env.COBS_TEST_STORED_PAYMENT_HISTORIES ?? "25");
export const PAYMENT_SEED = Number(process.env.COBS_TEST_PAYMENT_SEED ?? "2026");

/** Whether this run uses Debian's PostgreSQL; the gate has a separate run for it, which fails if it is missing. */
export const DEBIAN_POSTGRES_REQUIRED = Boolean(process.env.COBS_TEST_DEBIAN_POSTGRES);

/** Whether programs run from what `npm test` has just built; otherwise they run from their sources, which takes longer. */
export const PROGRAMS_BUILT = Boolean(process.env.COBS_TEST_BUILT);

/** Whether every auth that a test starts runs on Redis, as the suite for Redis requires. */
export const REDIS_REQUIRED = Boolean(process.env.COBS_TEST_REDIS);

/**
 * Whether every resource that a test starts reaches its sandbox bank through the HTTP connector, as in `npm run
 * test:connector`.
 */
export const CONNECTOR_REQUIRED = process.env.COBS_TEST_BANK === "connector";

/** The full Chromium, with windows: Debian's, unless another one is named. */
export const CHROMIUM = process.env.COBS_TEST_CHROMIUM ?? "/usr/bin/chromium";

const SHELL = "/usr/bin/chromium-headless-shell";
/**
 * The Chromium of most browser suites: the same engine, network and cookies without windows, which cost more to open than the
 * pages shown in them. If Debian's is missing, the full one gives the same results.
 */
export const CHROMIUM_WITHOUT_WINDOWS =
  process.env.COBS_TEST_CHROMIUM ?? (existsSync(SHELL) ? SHELL : CHROMIUM);

/** The Envoy that the proxy suite starts: the one on the path, unless another one is named. */
export const ENVOY = process.env.COBS_TEST_ENVOY ?? "envoy";

/** Folder for pictures of every page, for people to look at; without it none are taken. */
export const SCREENSHOTS = process.env.COBS_TEST_SCREENSHOTS;
