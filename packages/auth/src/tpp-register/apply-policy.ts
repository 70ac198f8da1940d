import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { StopList } from "../tpp/stop-list.ts";
import { registerFindings } from "./register-finding.ts";
import type { RegisterSettings } from "./register-settings.ts";
import type { RegisterFindings } from "./register-store.ts";

/** Parts of the stop list that the policy uses. */
export type RegisterBlocks = Pick<StopList, "activeOfRegister" | "block" | "release">;

/** Changes of the stop list. */
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
 * Releases the register's blocks that configuration no longer allows: all unless the policy is `block`, and those of exempt TPPs.
 * Without settings nothing is looked up in the register, so that no check would ever release them.
 */
export async function takeBack(
  stopList: RegisterBlocks,
  settings: RegisterSettings | undefined,
): Promise<AppliedPolicy> {
  const isFree = (tpp: OrganisationIdentifier) => settings?.policy !== "block" || settings.exempt.has(tpp);
  return { blocked: [], released: await releaseWhere(stopList, isFree) };
}

/**
 * Releases TPPs that are authorised again or now exempt, and blocks TPPs whose authorisation has ended. Absent and unclear ones
 * stay as they are, because neither is proof. The operator's own blocks are not touched.
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
