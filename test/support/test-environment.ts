/** The only place where tests read variables of their own. */
import { existsSync } from "node:fs";

/** Rounds of the suite that kills processes: one for each process by default, twenty in `npm run faults`. */
export const KILL_ROUNDS = Number(process.env.COBS_TEST_KILL_ROUNDS ?? "4");

/**
 * Rounds of the suite that kills processes in the middle of payments, a kill of each process in each: one by default, twenty
 * in `npm run faults`.
 */
export const PAYMENT_KILL_ROUNDS = Number(process.env.COBS_TEST_PAYMENT_KILL_ROUNDS ?? "1");
/** Repeats its rounds; without it each run picks others. */
export const PAYMENT_FAULT_SEED = process.env.COBS_TEST_PAYMENT_FAULT_SEED;

/** How many payments are approved and deleted at once through both services: `npm run test:payments` has fifty. */
export const RACED_PAYMENTS = Number(process.env.COBS_TEST_RACED_PAYMENTS ?? "12");

/** Rounds of the suite that ends things under load: one for each kind by default, twenty in `npm run faults`. */
export const ENDING_ROUNDS = Number(process.env.COBS_TEST_ENDING_ROUNDS ?? "6");
/**
 * Between the calls of each of its six callers, of which one then calls every few milliseconds: none in `npm run faults`, which
 * says how many rounds it wants and is alone on the machine.
 */
export const ENDING_PAUSE_MILLISECONDS = process.env.COBS_TEST_ENDING_ROUNDS === undefined ? 40 : 0;

/** Calls a second while keys turn: few by default, 200 in `npm run faults:keys`. */
export const ROTATION_RATE = Number(process.env.COBS_TEST_ROTATION_RATE ?? "12");

/** Calls that are made up: few by default; with another seed, others. */
export const FUZZED_CALLS = Number(process.env.COBS_TEST_FUZZED_CALLS ?? "400");
export const FUZZ_SEED = Number(process.env.COBS_TEST_FUZZ_SEED ?? "2018");

/**
 * Histories of payments that are made up: against the moves alone, and, fewer by default, against PostgreSQL (300 in `npm
 * run test:payments`).
 */
export const PAYMENT_HISTORIES = Number(process.env.COBS_TEST_PAYMENT_HISTORIES ?? "10000");
export const STORED_PAYMENT_HISTORIES = Number(process.env.COBS_TEST_STORED_PAYMENT_HISTORIES ?? "25");
export const PAYMENT_SEED = Number(process.env.COBS_TEST_PAYMENT_SEED ?? "2026");

/** Whether this run is on Debian's PostgreSQL; the gate asks for it in a run of its own, which fails where it is missing. */
export const DEBIAN_POSTGRES_REQUIRED = Boolean(process.env.COBS_TEST_DEBIAN_POSTGRES);

/** Whether programs run from what `npm test` has built a moment ago; otherwise from their sources, which takes longer. */
export const PROGRAMS_BUILT = Boolean(process.env.COBS_TEST_BUILT);

/** Whether auth runs on Redis wherever a test starts it; the suite on Redis asks for it. */
export const REDIS_REQUIRED = Boolean(process.env.COBS_TEST_REDIS);

/**
 * Whether resource reaches its sandbox bank through the HTTP connector wherever a test starts it; `npm run test:connector`
 * asks for it.
 */
export const CONNECTOR_REQUIRED = process.env.COBS_TEST_BANK === "connector";

/** The whole Chromium, with windows around its pages: Debian's, unless another one is named. */
export const CHROMIUM = process.env.COBS_TEST_CHROMIUM ?? "/usr/bin/chromium";

const SHELL = "/usr/bin/chromium-headless-shell";
/**
 * The Chromium in which most of the browser suites go: the same engine, network and cookies without windows, whose opening
 * costs more than what is shown in them. Where Debian's is missing, the whole one shows the same.
 */
export const CHROMIUM_WITHOUT_WINDOWS =
  process.env.COBS_TEST_CHROMIUM ?? (existsSync(SHELL) ? SHELL : CHROMIUM);

/** The Envoy that the proxy suite starts: one on the path, unless another one is named. */
export const ENVOY = process.env.COBS_TEST_ENVOY ?? "envoy";

/** The folder that pictures of every page are written to, for looking at; none are taken without it. */
export const SCREENSHOTS = process.env.COBS_TEST_SCREENSHOTS;
