import type { PsuPlan } from "./account-plan.ts";
import { COMPANY_PLAN } from "./company-plan.ts";
import { PERSON_PLANS } from "./person-plans.ts";

/** Every PSU of the demo bank. */
export const PSU_PLANS: readonly PsuPlan[] = [...PERSON_PLANS, COMPANY_PLAN];
