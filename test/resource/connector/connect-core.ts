import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, createMetrics, systemClock } from "@cobs/service-edge";
import type { Bank } from "../../../packages/resource/src/bank/bank.ts";
import { openCoreClient } from "../../../packages/resource/src/bank/http-connector/core-client.ts";
import type { CoreSettings } from "../../../packages/resource/src/bank/http-connector/core-settings.ts";
import { openHttpBank } from "../../../packages/resource/src/bank/http-connector/http-bank.ts";
import { identityOf } from "../../support/identity-of.ts";
import { readableLog } from "../../support/readable-log.ts";
import { testCertificates } from "../../support/test-certificates.ts";

/** A bank behind the connector, and the metrics of its process. */
export interface ConnectedBank {
  readonly bank: Bank;
  readonly logLines: readonly Record<string, unknown>[];
  /** All metrics in their text form. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Time limit of a question in tests: sufficient on a busy machine, and short because many tests wait for it. */
export const TEST_LIMIT_MILLISECONDS = 1_000;

/** Connects to a core system with resource's certificate. */
export async function connectCore(
  url: URL,
  changed: Partial<CoreSettings> = {},
  clock: Clock = systemClock,
): Promise<ConnectedBank> {
  const { bank, privateCaFile } = await testCertificates();
  const metrics = createMetrics("test");
  const { log, lines } = readableLog();
  const settings = {
    url,
    authority: readFileSync(privateCaFile, "utf8"),
    identity: identityOf(bank.resource),
    timeoutMilliseconds: TEST_LIMIT_MILLISECONDS,
    callsAtOnce: 8,
    ...changed,
  };
  // Each question is another party's, so that no place is kept for others.
  const parties = { trace: () => undefined, party: () => randomUUID() };
  const core = openCoreClient(settings, { log, metrics, clock, ...parties });
  return {
    bank: openHttpBank(core, clock),
    logLines: lines,
    metrics: () => metrics.registry.metrics(),
    close: () => core.close(),
  };
}
