import type { EdgeConfiguration, Route, ServiceParts } from "@cobs/service-edge";
import type { AccountBank } from "./bank.ts";
import { followCalls } from "./http-connector/call-trace.ts";
import { openCoreClient } from "./http-connector/core-client.ts";
import type { CoreSettings } from "./http-connector/core-settings.ts";
import { openHttpBank } from "./http-connector/http-bank.ts";
import type { OrderBank } from "./orders.ts";
import { openSandboxBank } from "./sandbox-bank-postgres.ts";
import { startSettlingOrders } from "./sandbox-orders/start-settling-orders.ts";

/** Which bank is behind the API: the demo bank in this service's database, or a core system behind the HTTP connector. */
export type BankChoice =
  | { readonly kind: "sandbox" }
  | { readonly kind: "http"; readonly core: Omit<CoreSettings, "identity"> };

/** A bank that may be asked. */
export interface OpenedBank {
  readonly bank: AccountBank;
  /** Undefined where no payments can be ordered. */
  readonly orders: OrderBank | undefined;
  /** Routes whose calls the bank can tell apart; those that ask it go through this. */
  readonly follow: (routes: readonly Route[]) => readonly Route[];
}

/** Opens the bank that was chosen; the lifecycle closes it. */
export function openBank(choice: BankChoice, parts: ServiceParts): OpenedBank {
  switch (choice.kind) {
    case "sandbox":
      return openSandbox(parts);
    case "http":
      return openConnector({ ...choice.core, identity: identityOf(parts.edge) }, parts);
  }
}

function openSandbox({ database, lifecycle, log }: ServiceParts): OpenedBank {
  const settling = startSettlingOrders(database, log);
  lifecycle.onStop("orders of the sandbox bank", () => settling.stop());
  const bank = openSandboxBank(database);
  return { bank, orders: bank, follow: (routes) => routes };
}

function openConnector(settings: CoreSettings, parts: ServiceParts): OpenedBank {
  const traces = followCalls();
  const core = openCoreClient(settings, { ...parts, trace: traces.current });
  parts.lifecycle.onStop("client of the core system", () => core.close());
  const bank = openHttpBank(core);
  return { bank, orders: bank, follow: traces.follow };
}

/** What this service shows to every other one of the bank. */
function identityOf({ bankClient }: EdgeConfiguration): CoreSettings["identity"] {
  return { certificate: bankClient.certificate, key: bankClient.key.reveal() };
}
