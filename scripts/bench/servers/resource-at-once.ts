/** The whole resource server in front of a bank that says at once that there are no accounts: the cost of admission. */
import { configure, startResource } from "@cobs/resource";
import { runService, systemClock } from "@cobs/service-edge";

async function notAsked(): Promise<never> {
  throw new TypeError("only the list of accounts is asked for");
}

const emptyOrders = {
  terms: notAsked,
  inspectOrder: notAsked,
  acceptOrder: notAsked,
  progressOf: notAsked,
  hasFunds: notAsked,
};

const emptyBank = {
  accountsOf: async () => [],
  listAccounts: async () => ({ entries: [], totalCount: 0 }),
  currenciesOf: notAsked,
  balancesOf: notAsked,
  listTransactions: notAsked,
};

await runService({
  name: "resource",
  environment: process.env,
  commandLine: [],
  configure,
  start: async (config, parts) => {
    const follow = <Followed>(followed: Followed) => followed;
    const orders = { orders: emptyOrders, instantOrders: emptyOrders };
    const open = () => ({ bank: emptyBank, ...orders, follow, followTpps: follow });
    const { mutualTls: port } = await startResource(config, { ...parts, clock: systemClock }, open);
    process.send?.({ port });
    process.once("disconnect", () => process.exit());
  },
});
