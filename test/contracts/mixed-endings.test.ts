import { randomUUID } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import { type Database, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import {
  createApprovalId,
  createSigningRequestId,
} from "../../packages/auth/src/signing/signing-request-id.ts";
import { revokeTokensOf } from "../../packages/auth/src/tokens/revoke-tokens-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct, psuAct, tppAct } from "./test-acts.ts";

const PSUS = ["a", "b", "c"].map((psu) => parsePsuId(psu));
const JANA = operatorAct("jana");
const ROUNDS = 4;
/** So many codes is a PSU sent in an hour. */
const CODES = 30;
const psuOf = (index: number) => PSUS[index % PSUS.length] ?? parsePsuId("a");

const ACT = { actor: { kind: "server", part: "test" }, requestId: undefined } as const;

describe("Endings of all kinds at once", function mixedEndings() {
  this.timeout(120_000);
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  async function newApplication() {
    return { id: await storeApplication(databases[0]), owner: OWNER };
  }

  function orderOf(applicationId: SigningTerms["applicationId"], psu: SigningTerms["psu"]): SigningTerms {
    const paymentId = randomUUID().slice(0, 30);
    return {
      id: createSigningRequestId(),
      paymentId,
      signId: "S-1",
      psu,
      applicationId,
      organisationIdentifier: OWNER,
      certificates: [],
      returnUrl: "https://tpp.example/callback",
      order: parseOrder(canonicalOrder({ ...DOMESTIC_ORDER, paymentId })),
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    };
  }

  /** What may happen at one moment to one application, its consents and tokens, and its TPP. */
  function actsOn(application: Awaited<ReturnType<typeof newApplication>>, database: Database) {
    const applications = createApplicationStore(database, endConsentsOfApplication);
    const consents = createConsentStore(database);
    const tokens = createTokenStore<object>(database);
    const stopList = createStopList(database);
    const psuBlocks = createPsuBlocks(database, systemClock);
    const signings = createSigningStore(database, CODES);
    const given: ConsentId[] = [];
    const block = { kind: "organisation", key: OWNER, by: JANA } as const;
    const give = async (index: number) => {
      const consent = consentTo(application.id, { psu: psuOf(index), services: ["aisp", "pisp"] });
      await consents.give(consent, psuAct());
      given.push(consent.id);
      return consent.id;
    };
    return [
      async (index: number) => {
        const grantId = await give(index);
        const key = { kind: "AccessToken", id: randomUUID() };
        await tokens.put(key, {}, { grantId, lifetimeSeconds: index % 2 });
        await tokens.remove(key, tppAct());
      },
      async () => {
        const id = given.at(-1);
        if (id !== undefined) await consents.end(id, { by: "psu", reason: "withdrawn", act: psuAct() });
      },
      () => applications.replace(application, ACT, (current) => current),
      async (index: number) => {
        if (index === ROUNDS - 1) await applications.remove(application, ACT, () => {});
      },
      () => stopList.block({ ...block, reason: "fraud" }),
      () => stopList.release(block),
      (index: number) => psuBlocks.block({ psu: psuOf(index), reason: "fraud" }, JANA),
      (index: number) => psuBlocks.release(psuOf(index), JANA),
      () => revokeTokensOf(database, { kind: "application", id: application.id }, JANA),
      () => revokeTokensOf(database, { kind: "tpp", id: OWNER }, JANA),
      () => cleanExpired(database),
      async (index: number) => {
        const terms = orderOf(application.id, psuOf(index));
        await signings.request(terms, { act: ACT, now: new Date() });
        await signings.settle(terms.id, { act: psuAct(terms.psu), now: new Date() }, () => ({
          move: "approve",
          approval: { id: createApprovalId(), digest: terms.order.digest, methods: ["delivered_code"] },
        }));
      },
    ] as const;
  }

  it("never deadlock, and leave no gap in the feed", async () => {
    const application = await newApplication();
    const feed = createFeed(databases[0]);
    const before = await feed.head();
    const both = databases.map((database) => actsOn(application, database));
    const calls = Array.from({ length: ROUNDS }, (_, index) => index).flatMap((index) =>
      both.flatMap((acts) => acts.map((act) => act(index))),
    );
    const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected");
    expect(failed).to.deep.equal([]);
    const told = await feed.readAfter({ position: before, mark: undefined });
    expect(told?.events.map(({ position }) => position)).to.deep.equal(
      Array.from({ length: (await feed.head()) - before }, (_, index) => before + index + 1),
    );
    expect(told?.events.length).to.be.above(ROUNDS);
  });
});
