import { accountsOf } from "./soak-bank.ts";
import type { SoakTpp } from "./soak-certificates.ts";
import type { SoakSize } from "./soak-size.ts";

/** Where auth and resource of a soak are. */
export const ISSUER = "https://localhost:8443";
export const HOST = "localhost:9443";
const RESOURCE_SERVER = `https://${HOST}/cobs/2.0`;
/** A consent gets a new token every twelfth call, as if ten minutes were over. */
const CALLS_OF_A_TOKEN = 12;
/**
 * Calls of one visit of a consent: its accounts, then the balance and two pages of the history of one of them, a different one
 * each time.
 */
const CALLS_OF_A_VISIT = ["?size=10", "balance", "transactions?size=10", "transactions?size=20"];

/** A consent of a soak, with the token that its TPP uses now. */
export interface SoakConsent {
  readonly place: number;
  readonly tpp: number;
  readonly psu: number;
  readonly accounts: readonly string[];
  token: string;
  /** Number of calls so far, from a different one for each consent. */
  used: number;
}

/** The consents of a soak: the first TPP's with the first PSU, the second TPP's with the second PSU, and so on around. */
export function consentsOf({ consents, tpps, psus, accountsOfEach }: SoakSize): readonly SoakConsent[] {
  return Array.from({ length: consents }, (_, place) => {
    const psu = place % psus;
    const accounts = accountsOf(psu, accountsOfEach);
    return { place, tpp: place % tpps, psu, accounts, token: "", used: place % CALLS_OF_A_TOKEN };
  });
}

/** Takes away a consent's token, and makes auth forget it: the next call gets a new one. */
export function dropToken(consent: SoakConsent, tokens: Map<string, unknown>): void {
  tokens.delete(consent.token);
  consent.token = "";
}

/** The token for a consent's next call, which auth describes for ten minutes. */
export function tokenOf(
  consent: SoakConsent,
  { certificate, organisationIdentifier }: SoakTpp,
  tokens: Map<string, Record<string, unknown>>,
): string {
  if (consent.used % CALLS_OF_A_TOKEN === 0) dropToken(consent, tokens);
  consent.used += 1;
  if (consent.token !== "") return consent.token;
  consent.token = `soak-${consent.place}-${consent.used}.${"x".repeat(30)}`;
  tokens.set(consent.token, {
    ...describe(consent),
    cnf: { "x5t#S256": certificate.thumbprint },
    organisation_identifier: organisationIdentifier,
  });
  return consent.token;
}

function describe({ place, psu, accounts }: SoakConsent): Record<string, unknown> {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    active: true,
    token_type: "Bearer",
    scope: "aisp",
    client_id: `soak-application-${place % 1_000}`,
    sub: `soak-psu-${psu}`,
    aud: RESOURCE_SERVER,
    iss: ISSUER,
    iat: seconds,
    exp: seconds + 600,
    consent_id: `soak-consent-${place}`,
    account_ids: accounts,
    consented_services: ["aisp"],
    auth_time: seconds,
  };
}

/** Paths of the calls of one visit, after `/my/accounts`. */
export function pathsOf(visit: number, accounts: readonly string[]): readonly string[] {
  const account = accounts[visit % accounts.length];
  return CALLS_OF_A_VISIT.map((path) => (path.startsWith("?") ? path : `/${account}/${path}`));
}
