/** Calls that are named by their `X-Request-ID` and judged: what came back, when, and whether a promise was broken. */
import { randomUUID } from "node:crypto";
import type { CallKind, CallOutcome, Tally } from "./tally.ts";

/** A call that got no answer within the time in which the proxy gives up to connect to a process. */
export interface UnansweredCall {
  /** Its `X-Request-ID`, which a process that the call reaches logs. */
  readonly requestId: string;
  readonly what: string;
}

/** Calls of a load. */
export interface JudgedCalls {
  readonly unanswered: readonly UnansweredCall[];
  /** The `X-Request-ID` of a call that went well, which some process must have logged. */
  readonly answeredCall: () => string | undefined;
  /** Makes a call, and records its outcome; returns its answer if it went as it does when nothing is broken. */
  call(kind: CallKind, send: SendNamed): Promise<Response | undefined>;
}

/** Sends a call with the headers that name it. */
export type SendNamed = (named: Readonly<Record<string, string>>) => Promise<Response>;

/** HAProxy's `timeout connect`, and what it may take longer on a busy machine. */
const CONNECTING_MILLISECONDS = [4_900, 6_000] as const;
const OK_STATUSES: Readonly<Record<CallKind, readonly number[]>> = {
  reads: [200],
  tokens: [200],
  pages: [303],
  writes: [200],
  revocations: [200],
};

/** Begins without a call. */
export function startJudgedCalls(tally: Tally): JudgedCalls {
  const unanswered: UnansweredCall[] = [];
  let answeredCall: string | undefined;

  function recordUnanswered(kind: CallKind, { error, requestId, sentAt }: Failure): void {
    const at = performance.now();
    const what = `${kind} got no answer (${reasonOf(error)} after ${((at - sentAt) / 1_000).toFixed(1)} s)`;
    const [least, most] = CONNECTING_MILLISECONDS;
    // Whether it is one of those that the proxy could hand to no process is asked of the logs, once all is over.
    const isProxys = at - sentAt >= least && at - sentAt <= most;
    if (isProxys) unanswered.push({ requestId, what });
    tally.record(kind, { at, status: 0, good: false, breach: isProxys ? undefined : what });
  }

  return {
    unanswered,
    answeredCall: () => answeredCall,
    async call(kind, send) {
      const [sentAt, requestId] = [performance.now(), randomUUID()];
      const answer = await send({ "x-request-id": requestId }).catch((error: unknown) => error);
      if (!(answer instanceof Response)) {
        recordUnanswered(kind, { error: answer, requestId, sentAt });
        return undefined;
      }
      const outcome = judge(kind, answer);
      tally.record(kind, { at: performance.now(), ...outcome });
      if (!outcome.good) return undefined;
      answeredCall ??= requestId;
      return answer;
    },
  };
}

interface Failure {
  readonly error: unknown;
  readonly requestId: string;
  readonly sentAt: number;
}

function judge(kind: CallKind, { status, headers }: Response): Omit<CallOutcome, "at"> {
  const good = OK_STATUSES[kind].includes(status);
  const isLater = status === 503 && headers.get("retry-after") !== null;
  if (good || isLater) return { status, good };
  return {
    status,
    good,
    breach: `${kind} answered ${status}${status === 503 ? " without Retry-After" : ""}`,
  };
}

/** Why no answer came; the innermost cause says it most briefly. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return "code" in error ? String(error.code) : error.message;
}
