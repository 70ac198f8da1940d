import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type PsuId, parsePsuId, type Scope } from "@cobs/cobs-model";
import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import type { SigningMove, SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import {
  createApprovalId,
  createSigningRequestId,
} from "../../packages/auth/src/signing/signing-request-id.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { consentTo } from "./sample-consent.ts";
import { storeApplication, storeTpp } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

const MINUTE = 60_000;
/** Codes that a PSU is sent per hour at most. */
const CODES = 30;

/** An act of the server itself. */
export const SERVER = { actor: { kind: "server", part: "test" }, requestId: undefined } as const;

/** The forms in which the certificate of an order is known. */
export type Certificates = SigningTerms["certificates"];

/** An application of a TPP, and a PSU who may pay through it. */
export interface Payer {
  readonly owner: OrganisationIdentifier;
  readonly applicationId: SigningTerms["applicationId"];
  readonly psu: PsuId;
}

/** A payer with their consent to the application. */
export type Scene = Payer & { readonly consent: NewConsent["id"] };

/** PSUs with consents to payments, and their waiting orders, in one database that two processes have open. */
export function signingScenes(databases: () => readonly [Database, Database]) {
  const signings = (process: 0 | 1 = 0) => createSigningStore(databases()[process], CODES);
  const consents = (process: 0 | 1 = 0) => createConsentStore(databases()[process]);
  const run = async (text: string, values: readonly unknown[]) =>
    (await databases()[0].pool.query<object>(text, [...values])).rows;

  async function give({ applicationId, owner, psu, services }: Payer & { services: readonly Scope[] }) {
    const givenAt = new Date();
    const validUntil = new Date(givenAt.getTime() + MINUTE);
    const of = { psu, organisationIdentifier: owner, services, accounts: [], givenAt, validUntil };
    const consent = consentTo(applicationId, of);
    expect(await consents().give(consent, psuAct(psu))).to.equal(true);
    return consent.id;
  }

  /** Adds a PSU with a consent to an application. */
  async function newPayer(of: Omit<Payer, "psu">, services: readonly Scope[] = ["pisp"]) {
    const payer = { ...of, psu: parsePsuId(`psu-${randomUUID()}`) };
    return { ...payer, consent: await give({ ...payer, services }) };
  }

  /** Adds a PSU with a consent to an application of a separate TPP. */
  async function newScene(services?: readonly Scope[]) {
    const owner = parseOrganisationIdentifier(`PSDCZ-CNB-${randomUUID().slice(0, 8)}`);
    await storeTpp(databases()[0], owner);
    return newPayer({ owner, applicationId: await storeApplication(databases()[0], owner) }, services);
  }

  function termsOf({ owner, applicationId, psu }: Payer, certificates: Certificates = []): SigningTerms {
    const paymentId = randomUUID().slice(0, 30);
    const now = new Date();
    return {
      id: createSigningRequestId(),
      paymentId,
      signId: "S-1",
      psu,
      applicationId,
      organisationIdentifier: owner,
      certificates,
      returnUrl: "https://tpp.example/callback",
      order: parseOrder(canonicalOrder({ ...DOMESTIC_ORDER, paymentId })),
      createdAt: now,
      expiresAt: new Date(now.getTime() + MINUTE),
    };
  }
  const ask = (terms: SigningTerms, process: 0 | 1 = 0) =>
    signings(process).request(terms, { act: SERVER, now: new Date() });
  async function waiting(payer: Payer, certificates?: Certificates): Promise<SigningTerms> {
    const terms = termsOf(payer, certificates);
    expect((await ask(terms)).result).to.equal("created");
    return terms;
  }
  const approve = ({ id, psu, order }: SigningTerms, process: 0 | 1 = 0) => {
    const approval = { id: createApprovalId(), digest: order.digest, methods: ["delivered_code"] } as const;
    const decide = (): SigningMove => ({ move: "approve", approval });
    return signings(process).settle(id, { act: psuAct(psu), now: new Date() }, decide);
  };
  const find = async ({ id }: SigningTerms) => signings(1).find(id, new Date());

  /** Waits until a statement with this beginning waits for a lock, or `end` is over. */
  async function until(statement: string, end?: Promise<unknown>): Promise<void> {
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE $1`;
    let isOver = false;
    void end?.then(() => {
      isOver = true;
    });
    while (!isOver && (await run(waits, [statement])).length === 0) await nextTurn();
  }

  return { signings, consents, run, give, newPayer, newScene, termsOf, ask, waiting, approve, find, until };
}
