import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Log } from "@cobs/service-edge";
import type { StopList } from "../tpp/stop-list.ts";
import { type AppliedPolicy, applyPolicy, type RegisterBlocks } from "./apply-policy.ts";
import { type RegisterReading, readRegisterFile } from "./read-register-file.ts";
import { dayOf, type IsoDay, type RegisterFinding, registerFindings } from "./register-finding.ts";
import type { RegisterMetrics } from "./register-metrics.ts";
import { RegisterRefusal } from "./register-refusal.ts";
import type { RegisterSettings } from "./register-settings.ts";
import type { RegisterFindings, RegisterStore } from "./register-store.ts";

/** Parts that a check needs. */
export interface RegisterCheckParts {
  readonly settings: RegisterSettings;
  readonly store: RegisterStore;
  readonly stopList: RegisterBlocks & Pick<StopList, "findBlocked">;
  readonly metrics: RegisterMetrics;
  readonly log: Log;
}

const DAY_MILLISECONDS = 86_400_000;

function requireFresh({ newestDay }: RegisterReading, day: IsoDay, maxAgeDays: number): void {
  const oldest = dayOf(new Date(Date.parse(day) - maxAgeDays * DAY_MILLISECONDS));
  if (newestDay < oldest) throw new RegisterRefusal("register_old", `its newest entry is dated ${newestDay}`);
}

/**
 * Refuses a file without any known TPP: a test file or one of another country is complete and new, and would disable blocking for
 * a day.
 */
function requireLikely({ standings }: RegisterReading, before: readonly OrganisationIdentifier[]): void {
  if (before.length > 0 && standings.size === 0)
    throw new RegisterRefusal(
      "register_unreadable",
      `it lists no known TPP; an earlier file listed ${before.length}`,
    );
}

function decideFindings(
  tpps: readonly OrganisationIdentifier[],
  { exempt }: RegisterSettings,
  { standings }: RegisterReading,
): RegisterFindings {
  const findingOf = (tpp: OrganisationIdentifier): RegisterFinding =>
    exempt.has(tpp) ? "exempt" : (standings.get(tpp) ?? "absent");
  return new Map(tpps.map((tpp) => [tpp, findingOf(tpp)]));
}

function reportFindings({ metrics, log }: RegisterCheckParts, findings: RegisterFindings): void {
  for (const [tpp, finding] of findings) {
    metrics.found(finding);
    const isFine = finding === "authorised" || finding === "exempt";
    log[isFine ? "debug" : "warn"]({ tpp, finding }, registerFindings[finding]);
  }
}

/** Counts the TPPs whose authorisation has ended but that neither the register nor the operator blocks. */
async function countServed(
  { stopList, metrics }: RegisterCheckParts,
  findings: RegisterFindings,
): Promise<void> {
  for (const [organisationIdentifier, finding] of findings) {
    if (finding !== "withdrawn") continue;
    const blocked = await stopList.findBlocked({ organisationIdentifier, thumbprint: undefined });
    if (blocked === undefined) metrics.served();
  }
}

/** Logs the TPPs that the register blocks, and those that it no longer blocks. */
export function reportChanges(
  { log }: Pick<RegisterCheckParts, "log">,
  { blocked, released }: AppliedPolicy,
): void {
  for (const tpp of blocked) log.warn({ tpp }, "the TPP register blocks a TPP");
  for (const tpp of released) log.info({ tpp }, "the TPP register no longer blocks a TPP");
}

/**
 * Looks up the known TPPs not yet looked up on this day in the register's file, keeps the findings, and blocks or releases by the
 * policy. Rejects with `RegisterRefusal` for an unusable file; then nobody was blocked, and the day stays unfinished.
 */
export async function checkRegister(
  parts: RegisterCheckParts,
  day: IsoDay,
  signal: AbortSignal,
): Promise<void> {
  const { settings, store, stopList, metrics } = parts;
  const tpps = await store.tppsToLookUp(day);
  const before = (await store.tppsWithEntry()).filter((tpp) => !settings.exempt.has(tpp));
  const wanted = new Set([...tpps, ...before]);
  const reading = await readRegisterFile({ path: settings.file, wanted, day, signal });
  requireFresh(reading, day, settings.maxAgeDays);
  requireLikely(reading, before);
  const findings = decideFindings(tpps, settings, reading);
  reportFindings(parts, findings);
  if (settings.policy === "block") reportChanges(parts, await applyPolicy(stopList, findings));
  await countServed(parts, findings);
  await store.finishDay(day, findings);
  metrics.checked("finished");
}
