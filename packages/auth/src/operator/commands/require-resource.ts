import { CommandRefusal } from "../command-refusal.ts";
import type { OperatorClient } from "../operator-client.ts";

/** The client of resource's operator API, which is optional; refuses where it is needed for `what`, and is not configured. */
export function requireResource(resource: OperatorClient | undefined, what: string): OperatorClient {
  if (resource === undefined)
    throw new CommandRefusal("usage", `resource keeps ${what}, and RESOURCE_BANK_URL is not set`);
  return resource;
}
