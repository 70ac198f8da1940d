/** What somebody ends while the database's clock is ahead stays ended when that is set right (CLK-02). */
import { createHash, randomUUID } from "node:crypto";
import { parsePsuId, type Scope } from "@cobs/cobs-model";
import { type Database, migrateDatabase, openDatabase, Secret, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { expireConsents } from "../../packages/auth/src/consent/expire-consents-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { revokeTokenByHash } from "../../packages/auth/src/tokens/revoke-tokens-postgres.ts";
import { parseHashPrefix } from "../../packages/auth/src/tokens/token-search.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";
import { consentTo } from "./sample-consent.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct, psuAct, tppAct } from "./test-acts.ts";

/** A sample consent lasts a day. */
const DAYS_AHEAD = 30;
const DAY_SECONDS = 86_400;
const JANA = operatorAct("jana");

describe("Ending while the database's clock is ahead", function endedAhead() {
  this.timeout(120_000);
  let clock: DatabaseWithMovableClock;
  let database: Database;
  before(async () => {
    clock = await createDatabaseWithMovableClock();
    const { log } = readableLog();
    const url = new Secret(clock.url);
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    database = openDatabase({
      url,
      maxConnections: 4,
      applicationName: "contract",
      log,
      timeLimits: PATIENT,
    });
    await storeTpp(database);
  });
  after(() => database.close());

  const consents = () => createConsentStore(database);
  const tokens = () => createTokenStore<object>(database);
  const applications = () => createApplicationStore(database, endConsentsOfApplication);
  const run = <Row>(text: string, ...values: readonly unknown[]) =>
    database.run<Row>({ name: "", text, values });
  const tokenOf = (kind: string) => ({ kind, id: randomUUID() });
  const prefixOf = ({ id }: { readonly id: string }) => {
    const prefix = parseHashPrefix(
      createHash("sha256").update(id).digest().subarray(0, 9).toString("base64url"),
    );
    if (prefix === undefined) throw new TypeError("no prefix");
    return prefix;
  };

  /** A PSU with a consent, and its refresh token. */
  async function newScene(services: readonly Scope[] = ["aisp"]) {
    const applicationId = await storeApplication(database);
    const psu = parsePsuId(`psu-${randomUUID()}`);
    const consent = consentTo(applicationId, { psu, services });
    expect(await consents().give(consent, psuAct(psu))).to.equal(true);
    const refreshToken = tokenOf("RefreshToken");
    await tokens().put(refreshToken, {}, { grantId: consent.id, lifetimeSeconds: DAY_SECONDS });
    return { applicationId, psu, consent: consent.id, refreshToken };
  }
  type Scene = Awaited<ReturnType<typeof newScene>>;

  /** Gives what the act gave. */
  async function whileAhead<Result>(act: () => Promise<Result>): Promise<Result> {
    await clock.advanceDays(DAYS_AHEAD);
    try {
      return await act();
    } finally {
      await clock.advanceDays(-DAYS_AHEAD);
    }
  }

  const give = ({ applicationId, psu }: Scene) =>
    consents().give(
      consentTo(applicationId, {
        psu,
        validUntil: new Date(Date.now() + 2 * DAYS_AHEAD * DAY_SECONDS * 1_000),
      }),
      psuAct(psu),
    );
  const WITHDRAWN = { by: "psu", reason: "withdrawn", act: psuAct() } as const;

  const ENDINGS: Readonly<
    Record<string, { readonly end: (scene: Scene) => Promise<unknown>; readonly says: unknown }>
  > = {
    "a consent that its PSU withdraws": {
      end: ({ consent }) => consents().end(consent, WITHDRAWN),
      says: false,
    },
    "the consents of a PSU who is blocked": {
      end: async ({ psu }) => {
        const outcome = await createPsuBlocks(database, systemClock).block({ psu, reason: "fraud" }, JANA);
        return outcome.result === "blocked" && outcome.endedConsents;
      },
      says: 0,
    },
    "the consents to an application that is deleted": {
      end: ({ applicationId: id }) => applications().remove({ id, owner: OWNER }, tppAct(), () => {}),
      says: true,
    },
    "the consents to a service that an application gives up": {
      end: async ({ applicationId: id }) => {
        const replaced = await applications().replace({ id, owner: OWNER }, tppAct(), (current) => ({
          ...current,
          scopes: ["pisp"],
        }));
        return replaced?.scopes;
      },
      says: ["pisp"],
    },
    "a consent in whose place the PSU gives another": { end: give, says: true },
    "a consent whose refresh token the bank revokes": {
      end: async ({ refreshToken }) =>
        (await revokeTokenByHash(database, prefixOf(refreshToken), JANA)).result,
      says: "unknown",
    },
  };

  for (const [what, { end, says }] of Object.entries(ENDINGS))
    it(`is recorded as expiry, stays so, and leaves no token: ${what} (CLK-02)`, async () => {
      const scene = await newScene();
      const position = await createFeed(database).head();
      expect(await whileAhead(() => end(scene))).to.deep.equal(says);
      expect(await consents().findActive(scene.consent)).to.equal(undefined);
      expect(await tokens().findKept(scene.refreshToken)).to.equal(undefined);
      const text = `SELECT ended_at = valid_until AS on_time, ended_by, end_reason FROM consent WHERE id = $1`;
      expect(await run(text, scene.consent)).to.deep.equal([
        { on_time: true, ended_by: "server", end_reason: "expired" },
      ]);
      const entries = `SELECT action, actor_kind, actor FROM audit_entry WHERE subject = $1 AND action <> 'consent.given'`;
      expect(await run(entries, scene.consent)).to.deep.equal([
        { action: "consent.expired", actor_kind: "server", actor: "consent expiry" },
      ]);
      const { events = [] } = (await createFeed(database).readAfter({ position, mark: undefined })) ?? {};
      const { consent, psu, applicationId } = scene;
      expect(events.map(({ key }) => key)).to.satisfy((keys: readonly string[]) =>
        [consent, psu, applicationId].some((key) => keys.includes(key)),
      );
      expect(await expireConsents(database, psuAct())).to.equal(0);
    });

  it("leaves a PSU one consent to an application, the one given meanwhile", async () => {
    const scene = await newScene();
    await whileAhead(() => give(scene));
    const text = "SELECT version FROM consent WHERE application_id = $1 AND ended_at IS NULL";
    expect(await run(text, scene.applicationId)).to.deep.equal([{ version: 2 }]);
  });

  it("removes an access token that the bank revokes, and nothing else of its consent", async () => {
    const { consent, refreshToken } = await newScene();
    const token = tokenOf("AccessToken");
    await tokens().put(token, {}, { grantId: consent, lifetimeSeconds: 600 });
    const revoked = await whileAhead(() => revokeTokenByHash(database, prefixOf(token), JANA));
    expect(revoked.result).to.equal("unknown");
    expect(await tokens().findKept(token)).to.equal(undefined);
    expect(await tokens().find(refreshToken)).not.to.equal(undefined);
    expect((await consents().findActive(consent))?.state).to.equal("active");
  });
});
