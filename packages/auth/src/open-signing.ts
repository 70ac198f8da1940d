import type { Route, ServiceParts } from "@cobs/service-edge";
import type { ApplicationStore } from "./applications/application-store.ts";
import type { ApprovalParts } from "./approval/approval.ts";
import { createOrderPasskeys } from "./approval/order-passkeys.ts";
import type { PsuAccounts } from "./bank/psu-accounts.ts";
import type { AuthConfiguration } from "./config.ts";
import type { CountingParts } from "./http/count-visits.ts";
import { createApprovalRoutes } from "./http/pages/approval-routes.ts";
import { createSandboxInboxRoutes, inboxPath } from "./http/pages/sandbox-inbox-routes.ts";
import type { SigningParts } from "./http/signing-routes.ts";
import type { Delivery } from "./open-delivery.ts";
import type { Pages } from "./pages/pages.ts";
import { deriveChallengeKey } from "./psu/passkeys/bound-challenge.ts";
import type { Passkeys } from "./psu/passkeys/passkeys.ts";
import type { SignInParts } from "./sign-in/sign-in.ts";
import { deriveCodeKey } from "./signing/bound-code.ts";
import { startExpiringSigningRequests } from "./signing/expire-signing-requests.ts";
import { createSigningStore } from "./signing/signing-postgres.ts";
import type { SigningStore } from "./signing/signing-store.ts";
import type { StopList } from "./tpp/stop-list.ts";
import type { TppStore } from "./tpp/tpp-store.ts";

/** What opening signing needs. */
export interface SigningOpening extends ServiceParts {
  readonly config: AuthConfiguration;
  /** Undefined when no texts can be delivered to PSUs. */
  readonly delivery: Delivery | undefined;
  readonly applications: ApplicationStore;
  readonly tpps: TppStore;
  readonly stopList: StopList;
  readonly psuAccounts: PsuAccounts;
  readonly signIn: SignInParts;
  readonly passkeys: Passkeys | undefined;
  readonly pages: Pages;
}

/** Signing, as the bank listener serves it to resource and the browser listener to PSUs. */
export interface OpenedSigning {
  readonly bank: SigningParts;
  pageRoutes(counting: CountingParts): readonly Route[];
}

/** Opens signing with the configured delivery; without one, no order is accepted. */
export function openSigning(opening: SigningOpening): OpenedSigning {
  const { config, database, delivery, applications, clock, log, lifecycle, countJob } = opening;
  const store = createSigningStore(database, config.signing.codesPerHour);
  const expiring = startExpiringSigningRequests({ store, clock, log, again: countJob("signing_expiry") });
  lifecycle.onStop("signing expiry", expiring.stop);
  const bank = { store, applications, issuer: config.issuer, clock };
  if (delivery === undefined) return { bank: { ...bank, canDeliver: false }, pageRoutes: () => [] };
  const { pages } = opening;
  const approval = approvalParts(opening, { store, delivery });
  return {
    bank: { ...bank, canDeliver: true },
    pageRoutes: (counting) => [
      ...createApprovalRoutes({ ...counting, approval, pages, clock }),
      ...(delivery.inbox === undefined
        ? []
        : createSandboxInboxRoutes({ ...counting, pages, clock }, delivery.inbox)),
    ],
  };
}

function approvalParts(
  opening: SigningOpening,
  { store, delivery }: { readonly store: SigningStore; readonly delivery: Delivery },
): ApprovalParts {
  const { config, applications, tpps, stopList, psuAccounts, signIn, passkeys, pages } = opening;
  return {
    store,
    applications,
    tpps,
    stopList,
    psuAccounts,
    signIn,
    codeKey: deriveCodeKey(config.sealingKey),
    passkeys: passkeys && createOrderPasskeys(passkeys, deriveChallengeKey(config.sealingKey)),
    deliver: delivery.deliver,
    writeCodeText: pages.writeCodeText,
    inboxPath: delivery.inbox && inboxPath,
  };
}
