import { type Adapter, type AdapterPayload, Provider } from "oidc-provider";
import type { Consent } from "../consent/consent.ts";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore, Ending } from "../consent/consent-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

function projectConsent(consent: Consent, resourceServer: string): AdapterPayload {
  const projection = {
    kind: "Grant",
    jti: consent.id,
    clientId: consent.applicationId,
    accountId: consent.psu,
    iat: toSeconds(consent.givenAt),
    exp: toSeconds(consent.validUntil),
    resources: { [resourceServer]: consent.services.join(" ") },
  };
  return projection;
}

function whyGrantEnds(): Omit<Ending, "act"> {
  return Provider.ctx?.oidc.route === "revocation"
    ? { by: "tpp", reason: "refresh_token_revoked" }
    : { by: "bank", reason: "code_reused" };
}

/**
 * Makes the adapter that reads the provider's grant from the consent with the same id; both live equally long. The
 * provider destroys a grant when a code is used again (RFC 6749 4.1.2) and when a refresh token is revoked
 * (RFC 7009 2.1): then the consent ends.
 */
export function createGrantAdapter({
  consents,
  consentsOfCalls,
  resourceServer,
  readAct,
}: {
  readonly consents: Pick<ConsentStore, "end">;
  readonly consentsOfCalls: Pick<ConsentStore, "findActive">;
  readonly resourceServer: string;
  readonly readAct: ReadAct;
}): Adapter {
  return {
    ...UNUSED_ADAPTER,
    async find(text) {
      const id = parseConsentId(text);
      const consent = id === undefined ? undefined : await consentsOfCalls.findActive(id);
      return consent === undefined ? undefined : projectConsent(consent, resourceServer);
    },
    async destroy(text) {
      const id = parseConsentId(text);
      if (id !== undefined) await consents.end(id, { ...whyGrantEnds(), act: readAct() });
    },
  };
}
