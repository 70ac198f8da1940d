/** The bank with a tunnel in each direction between auth and resource, which can be cut and stalled. */
import { type CuttableTunnel, openTunnel } from "../../../test/support/cuttable-tunnel.ts";
import type { FaultParts } from "../fault-case.ts";
import { type FaultBank, type FaultBankOptions, openFaultBank } from "./fault-bank.ts";

export interface TunnelledBank {
  readonly bank: FaultBank;
  /** From resource to auth's bank listener, and from auth to resource's. */
  readonly toAuth: CuttableTunnel;
  readonly toResource: CuttableTunnel;
  close(): Promise<void>;
}

const localUrl = (port: number) => `https://localhost:${port}`;

/** Starts the bank and both tunnels. */
export async function openTunnelledBank(
  parts: FaultParts,
  options: Omit<FaultBankOptions, "between"> = {},
): Promise<TunnelledBank> {
  const tunnels: CuttableTunnel[] = [];
  const bank = await openFaultBank(parts, {
    ...options,
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
  const close = async () => {
    await bank.close();
    await Promise.all([toAuth.cut(), toResource.cut()]);
  };
  return { bank, toAuth, toResource, close };
}

/** Ends a stall: cuts the stalled connections, which are useless by now, and lets new ones through. */
export async function letFlow(tunnel: CuttableTunnel): Promise<void> {
  await tunnel.cut();
  tunnel.flow();
  await tunnel.mend();
}
