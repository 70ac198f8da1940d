import { AsyncLocalStorage } from "node:async_hooks";
import type { OnBehalf, Route, RunInSlot } from "@cobs/service-edge";

/**
 * Ties a question to the core system to the TPP's call behind it. It has no `tracestate` of the caller: that is text of the
 * TPP's choice, and the core system learns nothing of TPPs (W3C Trace Context 3.5, 6.2).
 */
export interface CallTrace {
  readonly requestId: string;
  /** W3C Trace Context: the caller's if well-formed, or that of our own span. */
  readonly traceparent?: string;
}

/** Knows which call is being served, so that the bank need not be told with each question. */
export interface FollowedCalls {
  trace(): CallTrace | undefined;
  /**
   * For whom the bank is asked, as a name for taking turns: the TPP's organisation identifier, one name for all calls of the
   * bank's own services, one for the jobs of this process, and one for those of instant payments.
   */
  party(): string;
  /** Wraps routes so that `trace` gives their call while they handle it. */
  follow(routes: readonly Route[]): readonly Route[];
  /** Wraps slots named by TPPs so that `party` gives that TPP while a task runs. */
  followTpps(inSlotOf: RunInSlot): RunInSlot;
  /** Runs a task of a job for an instant payment. */
  asInstantJob<T>(task: () => Promise<T>): Promise<T>;
}

interface FollowedCall {
  readonly trace?: CallTrace;
  readonly tpp?: string;
}

const JOBS = "jobs";
const INSTANT_JOBS = "jobs for instant payments";
const BANK = "services of the bank";

/** Creates the store of calls. */
export function followCalls(): FollowedCalls {
  const storage = new AsyncLocalStorage<FollowedCall | typeof INSTANT_JOBS>();
  const followed = () => {
    const store = storage.getStore();
    return store === INSTANT_JOBS ? undefined : store;
  };
  return {
    trace: () => followed()?.trace,
    party: () => partyOf(storage.getStore()),
    follow: (routes) =>
      routes.map((route) => ({
        ...route,
        handle: (call) => storage.run({ trace: traceOf(call) }, () => route.handle(call)),
      })),
    followTpps: (inSlotOf) => (tpp, task) =>
      inSlotOf(tpp, (hasWaited) => storage.run({ ...followed(), tpp }, () => task(hasWaited))),
    asInstantJob: (task) => storage.run(INSTANT_JOBS, task),
  };
}

function partyOf(call: FollowedCall | typeof INSTANT_JOBS | undefined): string {
  if (call === INSTANT_JOBS) return call;
  return call === undefined ? JOBS : (call.tpp ?? BANK);
}

function traceOf({ requestId, traceContext }: OnBehalf): CallTrace {
  return { requestId, ...(traceContext && { traceparent: traceContext.traceparent }) };
}
