import Provider from "oidc-provider";
import type { HandedOverRequests } from "./provider-caller.ts";

/**
 * Makes the services of the bank clients for their own calls alone. To a browser or a TPP that names one, it is as unknown as any
 * other made-up client: nobody learns who may introspect, and no authorization comes as far as its lack of return addresses.
 */
export function keepBankClientsApart(
  provider: Provider,
  requests: HandedOverRequests,
  introspectors: readonly string[],
): void {
  const { Client } = provider;
  const find = Client.find.bind(Client);
  Client.find = async (id: string) => {
    const request = Provider.ctx?.req;
    const isOfBank = request !== undefined && requests.of(request).caller.kind === "bank";
    return isOfBank || !introspectors.includes(id) ? find(id) : undefined;
  };
}
