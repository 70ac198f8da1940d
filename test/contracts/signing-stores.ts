import { createSecretKey, randomBytes } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { makeBoundCode } from "../../packages/auth/src/signing/bound-code.ts";
import { judgeApproval } from "../../packages/auth/src/signing/judge-approval.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import type { SigningStore } from "../../packages/auth/src/signing/signing-store.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { twoProcesses } from "./auth-database.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";

const PSU = parsePsuId("psu");
const MINUTE = 60_000;
/** Codes that a PSU is sent per hour at most. */
const CODES = 30;

/** When all requests are made, by default. */
export const NOW = new Date("2026-07-31T12:00:00Z");
export const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE);

/** The act of a PSU, in a request of theirs. */
export const ACT = { actor: { kind: "psu", psu: PSU }, requestId: "request" } as const;
export const by = (minutes = 0) => ({ act: ACT, now: later(minutes) });

/** What the PSU's browser holds. */
export const BROWSER = "browser";

/** Key with which codes are made. */
export const key = createSecretKey(randomBytes(32));

/** The store in two processes, and the application of all its orders. */
export interface SigningStores {
  readonly databases: readonly [Database, Database];
  readonly one: SigningStore;
  readonly other: SigningStore;
  readonly applicationId: SigningTerms["applicationId"];
}

/** Opens a new store. */
export async function openSigningStores(): Promise<SigningStores> {
  const databases = await twoProcesses();
  const [one, other] = [createSigningStore(databases[0], CODES), createSigningStore(databases[1], CODES)];
  await storeTpp(databases[0]);
  return { databases, one, other, applicationId: await storeApplication(databases[0]) };
}

/** Makes requests in it, each of its own PSU, and acts on them. */
export function requestsIn(stores: () => SigningStores) {
  let count = 0;
  function newTerms(changed: Partial<SigningTerms> = {}): SigningTerms {
    count += 1;
    return {
      id: createSigningRequestId(),
      paymentId: `P-${count}`,
      signId: "S-1",
      // Counts of one PSU do not affect another.
      psu: parsePsuId(`psu-${count}`),
      organisationIdentifier: OWNER,
      applicationId: stores().applicationId,
      certificates: [],
      returnUrl: "https://tpp.example/callback",
      order: parseOrder(canonicalOrder({ ...DOMESTIC_ORDER, paymentId: `P-${count}` })),
      createdAt: NOW,
      expiresAt: later(30),
      ...changed,
    };
  }
  async function request(changed: Partial<SigningTerms> = {}): Promise<SigningTerms> {
    const terms = newTerms(changed);
    expect((await stores().one.request(terms, by())).result).to.equal("created");
    return terms;
  }
  /** Sends a code and returns it. */
  async function code(terms: SigningTerms, browser = BROWSER, minutes = 0): Promise<string> {
    const made = makeBoundCode(key, { request: terms, browser }, later(minutes));
    await stores().one.settle(terms.id, by(minutes), () => ({ move: "replace_code", code: made.kept }));
    return made.code;
  }
  const enter = (
    terms: SigningTerms,
    typed: string,
    at: Partial<{ minutes: number; browser: string; store: SigningStore }> = {},
  ) => {
    const { minutes = 0, browser = BROWSER, store = stores().one } = at;
    const element = { element: "delivered_code", code: typed, browser } as const;
    const attempt = { signedInBy: ["password", "totp"], element } as const;
    return store.settle(terms.id, by(minutes), judgeApproval(key, attempt, later(minutes)));
  };
  const stateOf = async ({ id }: SigningTerms, minutes = 0) =>
    (await stores().other.find(id, later(minutes)))?.state;
  async function told({ id }: SigningTerms): Promise<readonly string[]> {
    const { events = [] } =
      (await createFeed(stores().databases[1]).readAfter({ position: 0, mark: undefined })) ?? {};
    return events.filter((event) => event.key === id).map(({ kind }) => kind);
  }
  async function audited({ id }: SigningTerms): Promise<readonly string[]> {
    const text =
      "SELECT action FROM audit_entry WHERE subject_kind = 'signing_request' AND subject = $1 ORDER BY action";
    const rows = await stores().databases[0].run<{ action: string }>({ name: "audited", text, values: [id] });
    return rows.map(({ action }) => action);
  }
  async function waitingForLocks(): Promise<number> {
    const text =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    return (await stores().databases[1].run({ name: "waiting", text, values: [] })).length;
  }

  return { newTerms, request, code, enter, stateOf, told, audited, waitingForLocks };
}

/** A code other than the right one. */
export const wrong = (right: string) => String((Number(right) + 1) % 10 ** 8).padStart(8, "0");
