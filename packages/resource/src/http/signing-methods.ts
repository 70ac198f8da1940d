import {
  type Fault,
  type ReadSigningMethod,
  type ReadSigningStep,
  readSigningMethod,
  readSigningStep,
  type Scenarios,
} from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import { readSentJson } from "./read-sent-json.ts";

/** The only method: the PSU's browser is sent to auth's page (COBS 3.2.10). */
export const USERAGENT_REDIRECT = "USERAGENT_REDIRECT";

/** The ways to have a payment approved (COBS 3.2.8). */
export const SCENARIOS: Scenarios = [[USERAGENT_REDIRECT]];

/** Shortest interval at which a TPP may ask whether its PSU has decided, in milliseconds (COBS 3.2.11). */
export const POLL_INTERVAL_MILLISECONDS = 2_000;

/** Reads the body of R11. For a method that the bank does not offer it adds AUTH_LIMIT_EXCEEDED to the other faults. */
export async function readStep(call: IncomingCall): Promise<Pick<ReadSigningStep, "step" | "faults">> {
  const { body, faults: unreadable } = await readSentJson(call);
  if (body === undefined) return { step: undefined, faults: unreadable };
  const { step, ...read } = readSigningStep(body);
  return { step, faults: withFaultsOfMethod(read) };
}

/** Finds the faults of the body of R12, which names only the method, in the same words. */
export async function findFaultsOfMethod(call: IncomingCall): Promise<readonly Fault[]> {
  const { body, faults: unreadable } = await readSentJson(call);
  return body === undefined ? unreadable : withFaultsOfMethod(readSigningMethod(body));
}

function withFaultsOfMethod({ authorizationType, faults }: ReadSigningMethod): readonly Fault[] {
  if (authorizationType === undefined || authorizationType === USERAGENT_REDIRECT) return faults;
  const message = `authorizationType must be ${USERAGENT_REDIRECT}, the only method`;
  return [{ code: "AUTH_LIMIT_EXCEEDED", path: "authorizationType", message }, ...faults];
}
