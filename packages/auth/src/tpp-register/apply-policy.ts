import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { StopList } from "../tpp/stop-list.ts";
import { registerFindings } from "./register-finding.ts";
import type { RegisterSettings } from "./register-settings.ts";
import type { RegisterFindings } from "./register-store.ts";

/** What of the stop list is needed here. */
export type RegisterBlocks = Pick<StopList, "activeOfRegister" | "block" | "release">;

/** What changed on the stop list. */
export interface AppliedPolicy {
  readonly blocked: readonly OrganisationIdentifier[];
  readonly released: readonly OrganisationIdentifier[];
}

async function releaseWhere(
  stopList: RegisterBlocks,
  isFree: (tpp: OrganisationIdentifier) => boolean,
): Promise<readonly OrganisationIdentifier[]> {
  const released: OrganisationIdentifier[] = [];
  for (const { kind, key } of await stopList.activeOfRegister()) {
    if (kind !== "organisation" || !isFree(key)) continue;
    if ((await stopList.release({ kind, key, by: "register" })) !== undefined) released.push(key);
  }
  return released;
}

/**
 * Takes back what the register may block no longer: everything unless the policy is to block, and whoever is exempt.
 * Undefined settings: nothing is looked up in the register, so that its checks would never release anybody.
 */
export async function takeBack(
  stopList: RegisterBlocks,
  settings: RegisterSettings | undefined,
): Promise<AppliedPolicy> {
  const isFree = (tpp: OrganisationIdentifier) => settings?.policy !== "block" || settings.exempt.has(tpp);
  return { blocked: [], released: await releaseWhere(stopList, isFree) };
}

/**
 * Releases those whose authorisation is there again or who are now exempt, and blocks those whose authorisation has
 * ended. Who is absent or unclear stays as they are: neither is proof. The operator's own blocks are not touched.
 */
export async function applyPolicy(
  stopList: RegisterBlocks,
  findings: RegisterFindings,
): Promise<AppliedPolicy> {
  const isFree = (tpp: OrganisationIdentifier) => ["authorised", "exempt"].includes(findings.get(tpp) ?? "");
  const released = await releaseWhere(stopList, isFree);
  const blocked: OrganisationIdentifier[] = [];
  for (const [key, finding] of findings) {
    if (finding !== "withdrawn") continue;
    const order = { kind: "organisation", key, reason: registerFindings.withdrawn, by: "register" } as const;
    const { result } = await stopList.block(order);
    if (result === "list_full") throw new Error(`the stop list has no room for ${key}`);
    if (result === "blocked") blocked.push(key);
  }
  return { blocked, released };
}
