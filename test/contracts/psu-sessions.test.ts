import { parsePsuId } from "@cobs/cobs-model";
import type { Clock, Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { openEphemeralStores } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import type { SessionCall } from "../../packages/auth/src/psu-session/psu-session.ts";
import { createPsuSessions } from "../../packages/auth/src/psu-session/psu-sessions.ts";
import type { StayRecord } from "../../packages/auth/src/psu-session/stays.ts";
import { movableClock } from "../support/movable-clock.ts";
import { twoProcesses } from "./auth-database.ts";

const MINUTE = 60_000;
const JANA = parsePsuId("psu-jana");
const NOBODY: SessionCall = { header: () => undefined };

describe("Session of a PSU in a browser", () => {
  const clock = movableClock();
  let databases: readonly [Database, Database];
  let isBlocked: boolean;
  let isOlderRelease: boolean;
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));
  beforeEach(() => {
    isBlocked = false;
    isOlderRelease = false;
  });

  /** Stores stays as this release does, or without their login, as releases before it did. */
  function keptBy(store: EphemeralStore<StayRecord>): EphemeralStore<StayRecord> {
    if (!isOlderRelease) return store;
    return {
      ...store,
      putInPlaceOf: (former, key, { login: _, ...rest }, lifetime) =>
        store.putInPlaceOf(former, key, rest, lifetime),
    };
  }

  function sessionsOf(process: 0 | 1, itsClock: Clock = clock, login = "sandbox") {
    const openStore = openEphemeralStores(databases[process]);
    return createPsuSessions({
      sessions: openStore(),
      seen: openStore(),
      signIns: openStore(),
      stays: keptBy(openStore()),
      presentSessions: openStore(),
      othersEnded: openStore(),
      blocks: { admits: async () => !isBlocked },
      clock: itsClock,
      login,
    });
  }

  const find = (call: SessionCall) => sessionsOf(1).find(call);

  /** Signs in, in a browser that nobody has used or in that of a former call, and gives the next call of it. */
  async function signIn(former = NOBODY, login = "sandbox"): Promise<SessionCall> {
    const session = { psu: JANA, authenticatedAt: clock.now(), methods: ["password", "totp"] as const };
    const { cookies } = await sessionsOf(0, clock, login).begin(former, session);
    const cookie = cookies.map((line) => line.split(";", 1)[0]).join("; ");
    return { header: (name) => (name === "cookie" ? cookie : undefined) };
  }

  const change = (text: string) => databases[0].run({ name: "", text, values: [] });

  /** Time passes for the process, and for the database, whose records have their ends by its own clock. */
  async function pass(minutes: number): Promise<void> {
    clock.advance(minutes * MINUTE);
    await change(`UPDATE ephemeral_record SET expires_at = expires_at - interval '${minutes} minutes'`);
  }

  it("lives on for five minutes after each request, and not a moment longer (RTS Article 4(3)(d))", async () => {
    const call = await signIn();
    for (const _request of [1, 2]) {
      clock.advance(5 * MINUTE - 1);
      expect(await find(call)).to.include({ psu: JANA });
    }
    clock.advance(5 * MINUTE);
    expect(await find(call)).to.equal(undefined);
  });

  it("lasts its hour, also if its PSU has been signed in there for almost a day", async () => {
    let call = await signIn();
    await pass(23.5 * 60);
    call = await signIn(call);
    for (let minutes = 4; minutes < 60; minutes += 4) {
      await pass(4);
      expect(await find(call), `after ${minutes} minutes`).to.include({ psu: JANA });
    }
    await pass(4);
    expect(await find(call)).to.equal(undefined);
  });

  it("ends when the bank blocks its PSU, and does not come back with the release", async () => {
    const call = await signIn();
    isBlocked = true;
    expect(await find(call)).to.equal(undefined);
    isBlocked = false;
    expect(await find(call)).to.equal(undefined);
  });

  it("ends with the sign-out, or when somebody signs in there anew", async () => {
    for (const leave of [(call: SessionCall) => sessionsOf(0).end(call), signIn]) {
      const call = await signIn();
      expect(await find(call)).to.include({ psu: JANA });
      await leave(call);
      expect(await find(call)).to.equal(undefined);
    }
  });

  it("holds only for the login that made it (PSU_LOGIN)", async () => {
    const call = await signIn();
    const later = sessionsOf(1, clock, "oidc");
    expect(await later.find(call)).to.equal(undefined);
    expect(await find(call)).to.include({ psu: JANA });
    const renewed = await signIn(call, "oidc");
    expect(await later.find(renewed)).to.include({ psu: JANA });
    for (const each of [call, renewed]) expect(await find(each)).to.equal(undefined);
  });

  it("lasts through an update from a release that did not note the login", async () => {
    isOlderRelease = true;
    const call = await signIn();
    isOlderRelease = false;
    expect(await find(call)).to.include({ psu: JANA });
    const renewed = await signIn(call);
    expect(await find(renewed)).to.include({ psu: JANA });
    expect(await sessionsOf(1, clock, "oidc").find(renewed), "under another login").to.equal(undefined);
  });

  it("ends those of other browsers, even if they began in the same millisecond", async () => {
    const [own, elsewhere] = [await signIn(), await signIn()];
    const session = await find(own);
    if (session === undefined) throw new Error("no session");
    await sessionsOf(0).endOthers(session);
    expect(await find(elsewhere)).to.equal(undefined);
  });

  it("ends those of other browsers, by a process whose clock is two minutes behind too (CLK-02)", async () => {
    // Beyond the mark of the test before.
    await pass(61);
    const behind = movableClock();
    behind.setWall(clock.now().getTime() - behind.now().getTime() - 2 * MINUTE);
    const [own, elsewhere] = [await signIn(), await signIn()];
    const session = await find(own);
    if (session === undefined) throw new Error("no session");
    await sessionsOf(0, behind).endOthers(session);
    expect(await find(elsewhere)).to.equal(undefined);
    expect(await find(await signIn())).to.include({ psu: JANA });
  });
});
