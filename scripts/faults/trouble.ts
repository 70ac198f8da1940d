/**
 * One kind of trouble under load: while callers continue, something is broken and mended, and a PSU's consent is withdrawn;
 * then every promise is checked. It does not know what is broken.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { refreshForm } from "../../test/journeys/plain-authorization.ts";
import type { FaultCase, Verdict } from "./fault-case.ts";
import { type MixedLoad, postForm, startMixedLoad } from "./load/mixed-load.ts";
import type { CallKind, KindTally } from "./load/tally.ts";
import type { FaultAccess, FaultBank } from "./scene/fault-bank.ts";

/** Checks what became of the things that were begun before the fault; returns the broken promises. */
export type LookAtBrought = () => Promise<readonly string[]>;

/** What is broken, for how long, and which calls must not notice. */
export interface Trouble<Scene> {
  readonly name: string;
  readonly quick?: boolean;
  /** Begins something before the fault, while all is well; returns how to check afterwards what became of it. */
  bring?(scene: Scene): Promise<LookAtBrought>;
  /** Breaks something; resolves when it is broken. */
  begin(scene: Scene): Promise<void>;
  /** Time from `begin` to `mend`. */
  readonly milliseconds: number;
  /** Mends it; the rest of the recovery must happen without help. */
  mend(scene: Scene): Promise<void>;
  /** Kinds of calls that must never fail. */
  readonly goesOn?: readonly CallKind[];
}

const BEFORE_MILLISECONDS = 1_500;
/** The bank counts as recovered when nothing has failed for this long. */
const CALM_MILLISECONDS = 3_000;
const RECOVERY_LIMIT_MILLISECONDS = 30_000;
const FRESHNESS_MILLISECONDS = 5_000;
const LOOKED_AT = 150;
/** Pause before asking again: the effects of the previous fault may still cause a refusal. */
const ASK_AGAIN_MILLISECONDS = 200;
const MOST_TRIES = 3;

/** Makes a case of a trouble. */
export function underLoad<Scene extends { readonly bank: FaultBank }>(
  trouble: Trouble<Scene>,
): FaultCase<Scene> {
  const { name, quick = false } = trouble;
  return { name, quick, run: (scene) => runTrouble(trouble, scene) };
}

/** Verdict on a trouble. */
export interface TroubleVerdict extends Verdict {
  /** Promises that were broken. */
  readonly breaches: readonly string[];
  /** Calls that got no answer and reached no process. */
  readonly unanswered: number;
  /** Time from the mending to the last failed call, in words. */
  readonly wholeAfter: string;
}

/** Breaks and mends under load, and checks every promise. */
export async function runTrouble<Scene extends { readonly bank: FaultBank }>(
  trouble: Omit<Trouble<Scene>, "name" | "quick">,
  scene: Scene,
): Promise<TroubleVerdict> {
  const { bank } = scene;
  const allow = (psu: string) => again(() => bank.allow(psu));
  const [access, toWithdraw] = [await allow("jana"), await allow("petr")];
  const load = startMixedLoad(bank, access);
  const breaches: string[] = [];
  let mendedAt = performance.now();
  let withdrawn: Withdrawal | undefined;
  let look: LookAtBrought | undefined;
  try {
    await delay(BEFORE_MILLISECONDS);
    look = await again(async () => trouble.bring?.(scene));
    await trouble.begin(scene);
    const withdrawing = withdraw(bank, toWithdraw);
    await delay(trouble.milliseconds);
    await trouble.mend(scene);
    mendedAt = performance.now();
    withdrawn = await withdrawing;
    if (!(await becomesCalm(load, mendedAt))) breaches.push("it did not recover within 30 s");
  } finally {
    await load.stop();
  }
  breaches.push(...load.tally.breaches(), ...noticed(trouble.goesOn ?? [], load.tally.kinds()));
  const unanswered = await judgeUnanswered(bank, load);
  breaches.push(...unanswered.breaches);
  breaches.push(...((await look?.()) ?? []));
  breaches.push(...(await lookForLosses(bank, load, access)));
  breaches.push(...(await lookForWithdrawn(bank, toWithdraw, withdrawn)));
  breaches.push(...bank.ended().map((member) => `${member} has ended`));
  const wholeAfter = seconds(recovery(load.tally.kinds(), mendedAt));
  const detail = [
    ...describe(load.tally.kinds()),
    `whole again after ${wholeAfter}`,
    ...unanswered.excused.map((what) => `${what}: the proxy could connect to no process`),
    `${load.revoked.length} revoked, ${load.answered.length} tokens kept`,
    ...breaches.map((breach) => `BROKEN: ${breach}`),
  ].join("; ");
  return { held: breaches.length === 0, detail, breaches, unanswered: unanswered.excused.length, wholeAfter };
}

/** Asks for a prerequisite of the fault, and again if refused. */
async function again<T>(ask: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (tries === MOST_TRIES) throw error;
    await delay(ASK_AGAIN_MILLISECONDS);
    return again(ask, tries + 1);
  }
}

interface Withdrawal {
  /** When the withdrawal was answered. */
  readonly at: number;
}

/** Withdraws the consent by its refresh token, and retries until that is answered. */
async function withdraw(
  bank: FaultBank,
  { application, refreshToken }: FaultAccess,
): Promise<Withdrawal | undefined> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const until = performance.now() + 2 * RECOVERY_LIMIT_MILLISECONDS;
  while (performance.now() < until) {
    const form = { token: refreshToken, client_id, client_secret };
    const answer = await postForm(bank, "/oauth/revoke", form).catch(() => undefined);
    if (answer?.status === 200) return { at: performance.now() };
    await delay(200);
  }
  return undefined;
}

async function becomesCalm({ tally }: MixedLoad, mendedAt: number): Promise<boolean> {
  const lastBad = () => Math.max(mendedAt, ...tally.kinds().map(({ lastBadAt = 0 }) => lastBadAt));
  while (performance.now() - lastBad() < CALM_MILLISECONDS) {
    if (performance.now() - mendedAt > RECOVERY_LIMIT_MILLISECONDS + CALM_MILLISECONDS) return false;
    await delay(100);
  }
  return lastBad() - mendedAt <= RECOVERY_LIMIT_MILLISECONDS;
}

function noticed(goesOn: readonly CallKind[], kinds: readonly KindTally[]): readonly string[] {
  const failed = kinds.filter(({ kind, badCount }) => goesOn.includes(kind) && badCount > 0);
  return failed.map(({ kind, badCount }) => `${badCount} ${kind} failed, but none should`);
}

/** Calls without an answer, in words: broken promises, and those that reached no process. */
interface JudgedUnanswered {
  readonly breaches: readonly string[];
  readonly excused: readonly string[];
}

/**
 * Where no process can be reached, HAProxy closes a caller's kept connection once its `timeout connect` is over, without an
 * answer. That is no broken promise as long as the call is known to have reached nobody.
 */
async function judgeUnanswered({ topology }: FaultBank, load: MixedLoad): Promise<JudgedUnanswered> {
  if (load.unanswered.length === 0) return { breaches: [], excused: [] };
  const logs = await Promise.all(topology.members.map(({ logFile }) => readFile(logFile, "utf8")));
  const isLogged = (requestId: string) => logs.some((log) => log.includes(requestId));
  if (!isLogged(load.answeredCall() ?? "no call was answered"))
    return { breaches: ["no process logs which calls reach it"], excused: [] };
  const said = (reached: boolean) =>
    load.unanswered.filter(({ requestId }) => isLogged(requestId) === reached).map(({ what }) => what);
  return { breaches: said(true).map((what) => `${what}, and had reached a process`), excused: said(false) };
}

/** Checks that tokens, the application's name and revocations are as they were answered. */
async function lookForLosses(
  bank: FaultBank,
  load: MixedLoad,
  access: FaultAccess,
): Promise<readonly string[]> {
  const breaches: string[] = [];
  for (const token of load.answered.slice(-LOOKED_AT)) {
    const { status } = await bank.tpp.get(token, "/my/accounts");
    if (status !== 200) breaches.push(`a token that was issued gives ${status} afterwards`);
  }
  const { answered, tried } = load.names();
  const name = (await bank.nameOf(access.application)) ?? "";
  const isLost = answered !== access.application.clientId && name !== answered && !tried.includes(name);
  if (isLost) breaches.push("an acknowledged change of an application is lost");
  const last = load.revoked.at(-1)?.at ?? 0;
  await delay(Math.max(0, last + FRESHNESS_MILLISECONDS - performance.now()));
  for (const { accessToken } of load.revoked.slice(-LOOKED_AT)) {
    const { status } = await bank.tpp.get(accessToken, "/my/accounts");
    if (status !== 401) breaches.push(`a revoked token gives ${status} afterwards`);
  }
  return [...new Set(breaches)];
}

async function lookForWithdrawn(
  bank: FaultBank,
  { application, accessToken, refreshToken }: FaultAccess,
  withdrawn: Withdrawal | undefined,
): Promise<readonly string[]> {
  if (withdrawn === undefined) return ["a consent could not be withdrawn"];
  await delay(Math.max(0, withdrawn.at + FRESHNESS_MILLISECONDS - performance.now()));
  const read = await bank.tpp.get(accessToken, "/my/accounts");
  const refreshed = await postForm(bank, "/oauth/token", refreshForm(application, refreshToken));
  return [
    ...(read.status === 401 ? [] : [`a token of a withdrawn consent gives ${read.status}`]),
    ...(refreshed.status === 400 ? [] : [`a refresh token of a withdrawn consent gives ${refreshed.status}`]),
  ];
}

function describe(kinds: readonly KindTally[]): readonly string[] {
  return kinds.map(({ kind, statuses, longestOutage }) => {
    const counts = [...statuses].map(([status, count]) => `${count}×${status === 0 ? "none" : status}`);
    return `${kind} ${counts.join(" ")} (longest without ${seconds(longestOutage)})`;
  });
}

function recovery(kinds: readonly KindTally[], mendedAt: number): number {
  return Math.max(0, ...kinds.map(({ lastBadAt = 0 }) => lastBadAt - mendedAt));
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
