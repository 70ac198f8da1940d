import { refreshOf, type Tokens } from "../auth-contests.ts";
import type { ContestParts } from "../contest-parts.ts";
import type { RequestOrder } from "../load/load-order.ts";
import { paymentRequest } from "../payment-contest.ts";
import { requestOf } from "../resource-contests.ts";

/** A load that is put on several processes of a service. */
export interface Work {
  readonly name: string;
  readonly service: "auth" | "resource";
  readonly operation: string;
  readonly order: RequestOrder;
  /** Database of the service, whose connections are sampled. */
  readonly databaseUrl: string;
}

const CONSENTS = 128;

/** Refreshes many consents in turn, as many PSUs' applications do. */
async function refreshes({ bank, load }: ContestParts): Promise<RequestOrder> {
  await bank.bringPsus();
  const orders: RequestOrder[] = [];
  for (let consent = 0; consent < CONSENTS; consent += 1) {
    const { lastBody } = await load({ order: bank.flow, milliseconds: 0, most: 1, atOnce: 1 });
    const tokens: Tokens = JSON.parse(lastBody);
    orders.push(refreshOf(bank.flow, tokens));
  }
  const [first] = orders;
  if (first === undefined) throw new TypeError("nobody has consented");
  return { ...first, bodies: orders.flatMap(({ body }) => body ?? []) };
}

/** Reads and writes at resource, and writes at auth. */
export async function worksOf(parts: ContestParts): Promise<readonly Work[]> {
  const { document, resource } = parts.bank;
  const account = document.psus.find(({ username }) => username === document.readyApplication.psu)
    ?.accounts[0];
  if (account === undefined) throw new TypeError("nobody has an account");
  const balances = requestOf(parts, resource, `/cobs/2.0/my/accounts/${account.id}/balance`);
  const { auth, resource: databaseUrl } = document.databases;
  const { host } = new URL(document.auth.mutualTls);
  const refresh = await refreshes(parts);
  return [
    {
      name: "balance",
      service: "resource",
      operation: "Balances of an account",
      order: balances,
      databaseUrl,
    },
    {
      name: "payment",
      service: "resource",
      operation: "Payment entered",
      order: paymentRequest(parts),
      databaseUrl,
    },
    {
      name: "refresh",
      service: "auth",
      operation: `Refresh of an access token, of ${CONSENTS} consents in turn`,
      order: { ...refresh, headers: { ...refresh.headers, host } },
      databaseUrl: auth,
    },
  ];
}
