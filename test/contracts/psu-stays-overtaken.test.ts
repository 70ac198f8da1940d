import { parsePsuId } from "@cobs/cobs-model";
import { type Database, isDatabaseAway, isDatabaseUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { openEphemeralStores } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { createPsuSessions } from "../../packages/auth/src/psu-session/psu-sessions.ts";
import { movableClock } from "../support/movable-clock.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";

const JANA = parsePsuId("psu-jana");

describe("PSU whose writes the store always refuses", function overtaken() {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  /** Sessions on a store that tells everybody that somebody else came first. */
  function openSessions() {
    const openStore = openEphemeralStores(databases[0]);
    const openRefusing = <Payload extends object>(): EphemeralStore<Payload> => ({
      ...openStore<Payload>(),
      putNew: async () => false,
      putInPlaceOf: async () => false,
    });
    return createPsuSessions({
      sessions: openStore(),
      seen: openStore(),
      signIns: openStore(),
      stays: openRefusing(),
      presentSessions: openStore(),
      othersEnded: openRefusing(),
      blocks: { admits: async () => true },
      clock: movableClock(),
      login: "sandbox",
    });
  }

  const signIn = { psu: JANA, authenticatedAt: new Date(0), methods: ["password", "totp"] as const };
  for (const [what, act] of [
    ["sign in", () => openSessions().begin({ header: () => undefined }, signIn)],
    ["end other sessions", () => openSessions().endOthers({ id: "none", psu: JANA })],
  ] as const)
    it(`may try again later to ${what}, because attempts are limited`, async () => {
      const refusal = await rejectionOf(act());
      expect(refusal.name).to.equal("AlwaysOvertaken");
      expect([isDatabaseUnavailable(refusal), isDatabaseAway(refusal)]).to.deep.equal([true, false]);
    });
});
