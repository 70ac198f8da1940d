import type { Clock, Database, Lifecycle, Log, Route } from "@cobs/service-edge";
import type { ApplicationStore } from "./applications/application-store.ts";
import type { ApprovalParts } from "./approval/approval.ts";
import { createOrderPasskeys } from "./approval/order-passkeys.ts";
import type { AuthConfiguration } from "./config.ts";
import { createApprovalRoutes } from "./http/approval-routes.ts";
import type { CountingSignIns } from "./http/count-sign-in.ts";
import { createSandboxInboxRoutes, inboxPath } from "./http/sandbox-inbox-routes.ts";
import type { SigningParts } from "./http/signing-routes.ts";
import type { Pages } from "./pages/pages.ts";
import { deriveChallengeKey } from "./psu/passkeys/bound-challenge.ts";
import type { Passkeys } from "./psu/passkeys/passkeys.ts";
import type { SignInParts } from "./sign-in/sign-in.ts";
import { deriveCodeKey } from "./signing/bound-code.ts";
import { startExpiringSigningRequests } from "./signing/expire-signing-requests.ts";
import { createSandboxInbox } from "./signing/sandbox-inbox-postgres.ts";
import { createSigningStore } from "./signing/signing-postgres.ts";
import type { StopList } from "./tpp/stop-list.ts";
import type { TppStore } from "./tpp/tpp-store.ts";

/** What signing is opened with. */
export interface SigningOpening {
  readonly config: AuthConfiguration;
  readonly database: Database;
  readonly applications: ApplicationStore;
  readonly tpps: TppStore;
  readonly stopList: StopList;
  readonly signIn: SignInParts;
  readonly passkeys: Passkeys | undefined;
  readonly pages: Pages;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Signing as the two listeners serve it: to the bank's own service, and to PSUs. */
export interface OpenedSigning {
  readonly bank: SigningParts;
  pageRoutes(counting: CountingSignIns): readonly Route[];
}

/** Opens signing with the delivery that there is: that of the sandbox, or none, and then no order is taken. */
export function openSigning(opening: SigningOpening): OpenedSigning {
  const { config, database, applications, tpps, stopList, signIn, passkeys } = opening;
  const { pages, clock, log, lifecycle } = opening;
  const store = createSigningStore(database);
  const expiring = startExpiringSigningRequests({ store, clock, log });
  lifecycle.onStop("signing expiry", () => expiring.stop());
  const { issuer } = config;
  const bank = { store, applications, issuer, clock };
  if (config.mode !== "sandbox") return { bank: { ...bank, canDeliver: false }, pageRoutes: () => [] };
  const inbox = createSandboxInbox(database, config.sealingKey, clock);
  const approval: ApprovalParts = {
    ...{ store, applications, tpps, stopList, signIn, inboxPath },
    codeKey: deriveCodeKey(config.sealingKey),
    passkeys: passkeys && createOrderPasskeys(passkeys, deriveChallengeKey(config.sealingKey)),
    deliver: inbox.deliver,
    writeCodeText: pages.writeCodeText,
  };
  return {
    bank: { ...bank, canDeliver: true },
    pageRoutes: (counting) => [
      ...createApprovalRoutes({ ...counting, approval, pages, clock }),
      ...createSandboxInboxRoutes({ pages, clock }, inbox),
    ],
  };
}
