import type { PsuId } from "@cobs/cobs-model";
import { COMPANY_PLAN } from "../bank/company-plan.ts";
import { DEMO_SEED } from "../bank/demo-bank.ts";
import { openAccounts } from "../bank/open-accounts.ts";
import { PERSON_PLANS } from "../bank/person-plans.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** The id of a demo PSU of the sandbox; refuses with `usage`, naming all. */
export function findDemoPsu(username: string): PsuId {
  const plans = [...PERSON_PLANS, COMPANY_PLAN];
  const plan = plans.find((each) => each.username === username);
  const [opened] = plan === undefined ? [] : openAccounts(DEMO_SEED, plan);
  if (opened !== undefined) return opened.psu;
  const names = plans.map((each) => each.username).join(", ");
  throw new SeedRefusal("usage", `there is no PSU ${username}; there are: ${names}`);
}
