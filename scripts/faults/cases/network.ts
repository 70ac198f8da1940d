/** The network between auth and resource is cut or stalls, in either direction, while both services run. */
import { plan } from "../fault-case.ts";
import type { CallKind } from "../load/tally.ts";
import { letFlow, openTunnelledBank, type TunnelledBank } from "../scene/tunnelled-bank.ts";
import { type Trouble, underLoad } from "../trouble.ts";

const CUT_MILLISECONDS = 12_000;
const OF_AUTH: readonly CallKind[] = ["tokens", "pages", "writes", "revocations"];

const TROUBLES: readonly Trouble<TunnelledBank>[] = [
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
    mend: ({ toAuth }) => letFlow(toAuth),
    goesOn: OF_AUTH,
  },
];

export const NETWORK = plan<TunnelledBank>({
  open: (parts) => openTunnelledBank(parts),
  close: (scene) => scene.close(),
  cases: TROUBLES.map(underLoad),
});
