import type { TestCall } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { MANY, smallBank } from "../resource/small-bank.ts";
import type { RawAnswer } from "../support/raw-https.ts";

/** The path of R4. */
export const PAYMENT_CHECK = "/cobs/2.0/my/payments/balanceCheck";
/** The path of R13. */
export const CARD_CHECK = "/cobs/2.0/accounts/balanceCheck";

/** The IBAN of an account of the small bank. */
export function ibanOf(id: string): string {
  const account = smallBank(new Date()).accounts.find((each) => each.id === id);
  if (account === undefined) throw new Error(`there is no account ${id}`);
  return account.iban;
}

let exchanges = 0;

/**
 * A valid question about an account of the small bank: the example of COBS chapter 5, changed. Each has its own identification.
 */
export function questionAbout(id: string, changed: Readonly<Record<string, unknown>> = {}) {
  exchanges += 1;
  return {
    exchangeIdentification: `q${exchanges}`,
    card: { cardholderName: "Jan Novák", maskedPan: "1234********6789" },
    debtorAccount: { identification: { iban: ibanOf(id) } },
    authenticationMethod: "NPIN",
    merchant: {
      identification: "12345678",
      shortName: "KNIHY",
      commonName: "Knihy s.r.o.",
      address: "Hlavní 5, Praha 1",
      countryCode: "CZ",
      merchantCategoryCode: "5192",
    },
    transactionDetails: { currency: "CZK", totalAmount: 499.0 },
    ...changed,
  };
}

/** How a test calls R4 and R13. */
export interface CheckedResource {
  readonly resource: RunningResource;
  /** Makes auth know a consent by which a TPP may ask about an account by R13; returns the consent's id. */
  agree(account: string, certificate?: string): string;
  /** Asks with everything correct except what is changed; a body of text or bytes is sent as it is. */
  ask(path: string, body: object | string, call?: TestCall): Promise<RawAnswer>;
}

/** The certificate of a TPP that may use both R4 and R13. */
export const ASKER = "all-roles";

/** Wraps a running resource server. */
export function checksAt(resource: RunningResource): CheckedResource {
  let consents = 0;
  return {
    resource,
    agree: (account, certificate = ASKER) => {
      consents += 1;
      const { organisationIdentifier } = resource.tpp(certificate);
      const consent = { id: `card-${consents}`, psu: account.replace(/-\d+$/, ""), accountId: account };
      resource.auth.cardConsents.set(`${organisationIdentifier} ${ibanOf(account)}`, consent);
      return consent.id;
    },
    ask: (path, body, call = {}) => {
      const certificate = call.certificate ?? ASKER;
      const token = path === PAYMENT_CHECK ? { token: paymentToken(resource, certificate) } : {};
      const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      const headers = {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        ...call.headers,
      };
      return resource.call({ certificate, ...token, method: "POST", path, body: text, ...call, headers });
    },
  };
}

function paymentToken(resource: RunningResource, certificate: string): string {
  const claims = { scope: "pisp", consented_services: ["pisp"], account_ids: [], sub: MANY };
  return resource.giveToken(certificate, claims);
}

/** Starts a resource server and wraps it. */
export async function runChecks(changed?: Readonly<Record<string, string>>): Promise<CheckedResource> {
  return checksAt(await runResource(changed, undefined, { tunnelled: true }));
}
