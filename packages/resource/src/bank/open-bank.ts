import type { Route, RunInSlot, ServiceParts } from "@cobs/service-edge";
import type { AccountBank } from "./bank.ts";
import { followCalls } from "./http-connector/call-trace.ts";
import { type CoreClient, openCoreClient } from "./http-connector/core-client.ts";
import type { CoreSettings } from "./http-connector/core-settings.ts";
import { openHttpBank } from "./http-connector/http-bank.ts";
import { instantOrdersOf } from "./http-connector/instant-orders.ts";
import type { OrderBank, OrderExecution } from "./orders.ts";
import { openSandboxBank } from "./sandbox-bank-postgres.ts";
import { startSettlingOrders } from "./sandbox-orders/start-settling-orders.ts";

/** Which bank is behind the API: the demo bank in this service's database, or a core system behind the HTTP connector. */
export type BankChoice =
  | { readonly kind: "sandbox"; readonly settlementSeconds: number }
  | { readonly kind: "http"; readonly core: Omit<CoreSettings, "identity"> };

/** The bank, ready for questions. */
export interface OpenedBank {
  readonly bank: AccountBank;
  readonly orders: OrderBank;
  /** The same for instant payments, whose questions take turns with those about other payments. */
  readonly instantOrders: OrderExecution;
  /**
   * Wraps routes so that the bank knows which call a question belongs to; every route that asks the bank goes through this.
   */
  readonly follow: (routes: readonly Route[]) => readonly Route[];
  /** Wraps the slots of TPPs so that the bank knows which TPP a question is asked for. */
  readonly followTpps: (inSlotOf: RunInSlot) => RunInSlot;
}

/** Opens the chosen bank; the lifecycle closes it. */
export function openBank(choice: BankChoice, parts: ServiceParts): OpenedBank {
  switch (choice.kind) {
    case "sandbox":
      return openSandbox(choice.settlementSeconds, parts);
    case "http":
      return openConnector({ ...choice.core, identity: parts.identity }, parts);
  }
}

function openSandbox(
  settlementSeconds: number,
  { database, lifecycle, log, countJob }: ServiceParts,
): OpenedBank {
  const settling = startSettlingOrders({ database, log, countJob });
  lifecycle.onStop("orders of the sandbox bank", settling.stop);
  const bank = openSandboxBank(database, settlementSeconds);
  return {
    bank,
    orders: bank,
    instantOrders: bank,
    follow: (routes) => routes,
    followTpps: (inSlotOf) => inSlotOf,
  };
}

function openConnector(settings: CoreSettings, parts: ServiceParts): OpenedBank {
  const calls = followCalls();
  const { tracing, lifecycle } = parts;
  const trace = () => {
    const call = calls.trace();
    return call && { ...call, ...tracing.headers() };
  };
  const client = openCoreClient(settings, { ...parts, trace, party: calls.party });
  lifecycle.onStop("client of the core system", () => client.close());
  const core: CoreClient = {
    ...client,
    ask: (question) =>
      tracing.asking(`core ${question.operation}`, { "peer.service": "core" }, () => client.ask(question)),
  };
  const bank = openHttpBank(core, parts.clock);
  const instantOrders = instantOrdersOf(bank, calls);
  return { bank, orders: bank, instantOrders, follow: calls.follow, followTpps: calls.followTpps };
}
