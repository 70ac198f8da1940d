/**
 * Compares our reading of mutated certificates with an independent one. For any octets, ours must refuse with a code, or read
 * the same as the other; nothing may hang, crash or grow.
 */
import { createCertificateVerifier, inspectCertificate, parseTrustAnchors } from "@cobs/psd2-certificates";
import { AssertionError } from "chai";
import { startComputing } from "../support/stopwatch.ts";
import { anchorFile, now, present } from "./certificate-builder.ts";
import { type FuzzInput, issuing, nextInput, randomFrom } from "./fuzz-inputs.ts";
import { startWatchdog } from "./fuzz-watchdog.ts";
import { isConfirmed, ourReading, type Reading } from "./independent-reading.ts";
import { refusalOf } from "./refusal-of.ts";

export type FuzzOptions = {
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (done: number, count: number) => void;
  /** Measures octets held after a collection; left out if others share the heap, which then tells nothing about ours. */
  readonly heap?: () => number;
};

export type FuzzResult = {
  readonly count: number;
  readonly seed: number;
  readonly seconds: number;
  /** Counts: `confirmed` if both read the same, `unconfirmed` if the other library gave up, otherwise the refusal's code. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What must not happen: a difference between the two readings, or a thrown error that is not a refusal. */
  readonly findings: readonly { readonly what: string; readonly der: string }[];
  readonly slowestMilliseconds: number;
  /** After a forced collection, before the first certificate and after each tenth of them; empty if not measured. */
  readonly heapMegabytes: readonly number[];
  readonly isClean: boolean;
};

const hangMilliseconds = 10_000;
/** A reading takes less than a millisecond; the rest allows for collections and other processes. */
const slowMilliseconds = 1_000;
/** Growth between the first tenth, when everything is compiled, and the last. */
const growthMegabytes = 5;
const inspectedEvery = 10;

const anchors = parseTrustAnchors(anchorFile([issuing]));
const verifier = createCertificateVerifier({ anchors, maxRemembered: 100 });

/** Reads `count` mutated certificates; ends the process when one hangs. */
export async function fuzzCertificates({ count, seed, onProgress, heap }: FuzzOptions): Promise<FuzzResult> {
  const random = randomFrom(seed);
  const record = newRecord(heap);
  const watchdog = startWatchdog(hangMilliseconds);
  const start = performance.now();
  for (let turn = 0; turn < count; turn++) {
    watchdog.reached(turn);
    if (turn % Math.ceil(count / 10) === 0) record.heap();
    if (turn % 1000 === 0) onProgress?.(turn, count);
    record.input(nextInput(random), turn % inspectedEvery === 0);
  }
  record.heap();
  onProgress?.(count, count);
  await watchdog.stop();
  return { count, seed, seconds: Math.round((performance.now() - start) / 1000), ...record.result() };
}

/** The record of a run. */
function newRecord(heap: FuzzOptions["heap"]) {
  const outcomes = new Map<string, number>();
  const findings: { readonly what: string; readonly der: string }[] = [];
  const heapMegabytes: number[] = [];
  let slowest = 0;
  return {
    heap: () => {
      if (heap !== undefined) heapMegabytes.push(Math.round((heap() / 1_048_576) * 10) / 10);
    },
    input: (input: FuzzInput, isInspected: boolean) => {
      const { outcome, milliseconds } = judge(input, isInspected);
      slowest = Math.max(slowest, milliseconds);
      if (outcome.isFinding) findings.push({ what: outcome.what, der: input.der.toString("base64") });
      else outcomes.set(outcome.what, (outcomes.get(outcome.what) ?? 0) + 1);
    },
    result: () => {
      const [, first = 0] = heapMegabytes;
      const growth = (heapMegabytes.at(-1) ?? 0) - first;
      const isClean = findings.length === 0 && slowest < slowMilliseconds && growth < growthMegabytes;
      const slowestMilliseconds = Math.round(slowest * 10) / 10;
      return {
        outcomes: Object.fromEntries(outcomes),
        findings,
        slowestMilliseconds,
        heapMegabytes,
        isClean,
      };
    },
  };
}

type Outcome = { readonly what: string; readonly isFinding: boolean };

function judge(
  input: FuzzInput,
  isInspected: boolean,
): { readonly outcome: Outcome; readonly milliseconds: number } {
  const computed = startComputing();
  let milliseconds = 0;
  try {
    const { verdict, reading } = read(input);
    milliseconds = computed();
    if (isInspected) requireAgreement(input, verdict);
    return {
      outcome: { what: reading ? confirm(input.der, reading) : verdict, isFinding: false },
      milliseconds,
    };
  } catch (error) {
    const kind = error instanceof AssertionError ? "difference" : "fault";
    return { outcome: { what: `${kind}: ${String(error)}`, isFinding: true }, milliseconds };
  }
}

/** Reads a signed certificate with the verifier, and any other with the readers alone, because no path leads to it. */
function read({ der, isSigned }: FuzzInput): { readonly verdict: string; readonly reading?: Reading } {
  const act = () => (isSigned ? verifier.verify(present(der), now) : ourReading(der));
  const verdict = refusalOf(act);
  return verdict === "accepted" ? { verdict, reading: act() } : { verdict };
}

function confirm(der: Buffer, reading: Reading): string {
  return isConfirmed(der, reading) ? "confirmed" : "unconfirmed";
}

/** The inspection must not throw for any octets, and must agree with the verifier on signed certificates. */
function requireAgreement({ der, isSigned }: FuzzInput, verdict: string): void {
  const { code = "accepted" } = inspectCertificate(present(der), { anchors, now });
  if (isSigned && code !== verdict) throw new Error(`the report says ${code}, the verifier ${verdict}`);
}
