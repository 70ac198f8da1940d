import type { PsuId } from "@cobs/cobs-model";
import { DEMO_SEED } from "../bank/demo-bank.ts";
import { openAccounts } from "../bank/open-accounts.ts";
import { PSU_PLANS } from "../bank/psu-plans.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** The id of a demo PSU of the sandbox; refuses with `usage`, naming all of them. */
export function findDemoPsu(username: string): PsuId {
  const plan = PSU_PLANS.find((each) => each.username === username);
  const [opened] = plan === undefined ? [] : openAccounts(DEMO_SEED, plan);
  if (opened !== undefined) return opened.psu;
  const names = PSU_PLANS.map((each) => each.username).join(", ");
  throw new SeedRefusal("usage", `there is no PSU ${username}; there are: ${names}`);
}
