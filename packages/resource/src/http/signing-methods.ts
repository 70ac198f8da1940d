import type { Fault, ReadSigningStep, Scenarios } from "@cobs/cobs-model";

/** The one method: the PSU's browser is sent to auth's page (COBS 7.3). */
export const USERAGENT_REDIRECT = "USERAGENT_REDIRECT";

/** The ways to have a payment approved (COBS 3.2.8). */
export const SCENARIOS: Scenarios = [[USERAGENT_REDIRECT]];

/** How often a TPP may ask whether its PSU has decided, in milliseconds (COBS 3.2.11). */
export const POLL_INTERVAL_MILLISECONDS = 2_000;

/** What is wrong with a step: its elements, else AUTH_LIMIT_EXCEEDED for a method that the bank does not offer. */
export function faultsOfStep({ step, faults }: ReadSigningStep): readonly Fault[] {
  if (step === undefined || step.authorizationType === USERAGENT_REDIRECT) return faults;
  const message = `authorizationType is not ${USERAGENT_REDIRECT}, which is the only method`;
  return [{ code: "AUTH_LIMIT_EXCEEDED", path: "authorizationType", message }];
}
