import { CommandRefusal } from "../command-refusal.ts";
import type { OperatorClient } from "../operator-client.ts";

/** Returns the client of resource's operator API, which is optional. Refuses when `what` needs it and it is not configured. */
export function requireResource(resource: OperatorClient | undefined, what: string): OperatorClient {
  if (resource === undefined)
    throw new CommandRefusal("usage", `to ask resource for ${what}, set RESOURCE_BANK_URL`);
  return resource;
}
