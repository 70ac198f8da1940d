import {
  type CountJob,
  type Database,
  isDatabaseUnavailable,
  type Log,
  type ProcessMetrics,
  type Repeated,
  repeat,
} from "@cobs/service-edge";
import { readChain, readUnsealedSeconds } from "./read-chain-postgres.ts";
import { SEAL_BATCH_ENTRIES, sealBatch } from "./seal-audit-postgres.ts";
import { createSealingMetrics } from "./sealing-metrics.ts";

/** Parts that the sealing job needs. */
export interface SealingParts {
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Pick<ProcessMetrics, "registry">;
  readonly countJob?: CountJob;
}

const PAUSE_MILLISECONDS = 1_000;
/** Shortest interval between two logs of the head. The log is beyond the reach of the database's superuser. */
const TELL_HEAD_MILLISECONDS = 60_000;

/** Logs the head when it has moved, at most once a minute. */
function createHeadTeller({ database, log }: SealingParts): () => Promise<void> {
  let told = { sequence: 0, milliseconds: Number.NEGATIVE_INFINITY };
  return async () => {
    const milliseconds = performance.now();
    if (milliseconds - told.milliseconds < TELL_HEAD_MILLISECONDS) return;
    const { head } = await readChain(database);
    if (head.sequence !== told.sequence) log.info({ auditHead: head }, "audit sealed");
    told = { sequence: head.sequence, milliseconds };
  };
}

/**
 * Job that seals entries every second until it is stopped, in one process at a time. What it cannot seal now it seals later; no
 * change waits for it.
 */
export function startSealing(parts: SealingParts): Repeated {
  const { database, log } = parts;
  const figures = createSealingMetrics(parts.metrics);
  const tellHead = createHeadTeller(parts);

  const tellAge = async () => figures.unsealed.set((await readUnsealedSeconds(database)) ?? 0);

  async function round(): Promise<number> {
    // Reported also when sealing fails: that is when it matters.
    const sealed = await sealBatch(database, ({ action, actor_kind: actor }) =>
      figures.sealed.inc({ action, actor }),
    ).finally(tellAge);
    await tellHead();
    return sealed === SEAL_BATCH_ENTRIES ? 0 : PAUSE_MILLISECONDS;
  }

  const fail = (error: unknown) => {
    figures.failures.inc();
    if (!isDatabaseUnavailable(error)) log.error({ error }, "audit entries could not be sealed");
    return PAUSE_MILLISECONDS;
  };
  const again = parts.countJob?.("audit_sealing") ?? repeat;
  return again(round, fail, PAUSE_MILLISECONDS);
}
