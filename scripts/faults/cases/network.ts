/** The way between auth and resource is cut, or lets nothing through, in either direction; both live. */
import { type CuttableTunnel, openTunnel } from "../../../test/support/cuttable-tunnel.ts";
import { plan } from "../fault-case.ts";
import type { CallKind } from "../load/tally.ts";
import { type FaultBank, openFaultBank } from "../scene/fault-bank.ts";
import { type Trouble, underLoad } from "../trouble.ts";

interface Scene {
  readonly bank: FaultBank;
  /** From resource to auth's bank listener, and from auth to resource's. */
  readonly toAuth: CuttableTunnel;
  readonly toResource: CuttableTunnel;
}

const CUT_MILLISECONDS = 12_000;
const OF_AUTH: readonly CallKind[] = ["tokens", "pages", "writes", "revocations"];

const TROUBLES: readonly Trouble<Scene>[] = [
  {
    name: "network/auth-cut-off-from-resource",
    begin: async ({ toAuth, toResource }) => void (await Promise.all([toAuth.cut(), toResource.cut()])),
    milliseconds: CUT_MILLISECONDS,
    mend: async ({ toAuth, toResource }) => void (await Promise.all([toAuth.mend(), toResource.mend()])),
    goesOn: OF_AUTH,
  },
  {
    name: "network/resource-hears-nothing-of-auth",
    begin: async ({ toAuth }) => toAuth.stall(),
    milliseconds: CUT_MILLISECONDS,
    // Connections that have said nothing for so long are of no use to anybody.
    mend: async ({ toAuth }) => {
      await toAuth.cut();
      toAuth.flow();
      await toAuth.mend();
    },
    goesOn: OF_AUTH,
  },
];

const localUrl = (port: number) => `https://localhost:${port}`;

async function openScene(...[parts]: Parameters<typeof openFaultBank>): Promise<Scene> {
  const tunnels: CuttableTunnel[] = [];
  const bank = await openFaultBank(parts, {
    between: async ({ authBank, resourceBank }) => {
      const [toAuth, toResource] = [await openTunnel(authBank), await openTunnel(resourceBank)];
      tunnels.push(toAuth, toResource);
      const [auth, resource] = [localUrl(toAuth.port), localUrl(toResource.port)];
      return {
        auth: { BANK_URL: auth, RESOURCE_BANK_URL: resource },
        resource: { BANK_URL: resource, AUTH_BANK_URL: auth },
      };
    },
  });
  const [toAuth, toResource] = tunnels;
  if (toAuth === undefined || toResource === undefined) throw new TypeError("both were opened");
  return { bank, toAuth, toResource };
}

export const NETWORK = plan<Scene>({
  open: openScene,
  close: async ({ bank, toAuth, toResource }) => {
    await bank.close();
    await Promise.all([toAuth.cut(), toResource.cut()]);
  },
  cases: TROUBLES.map(underLoad),
});
