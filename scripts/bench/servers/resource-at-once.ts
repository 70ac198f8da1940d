/** Our resource server, whole, before a bank that has no accounts and says so at once: what admission costs. */
import { configure, startResource } from "@cobs/resource";
import { runService, systemClock } from "@cobs/service-edge";

async function notAsked(): Promise<never> {
  throw new TypeError("only the list of accounts is asked for");
}

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
    const open = () => ({ bank: emptyBank, orders: undefined, follow: <Routes>(routes: Routes) => routes });
    const { mutualTls: port } = await startResource(config, { ...parts, clock: systemClock }, open);
    process.send?.({ port });
    process.once("disconnect", () => process.exit());
  },
});
