import { randomBytes } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { openEphemeralStores } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import type { SessionCall } from "../../packages/auth/src/psu-session/psu-session.ts";
import { createPsuSessions } from "../../packages/auth/src/psu-session/psu-sessions.ts";
import { movableClock } from "../support/movable-clock.ts";
import { twoProcesses } from "./auth-database.ts";

const MINUTE = 60_000;
const [JANA, PETR] = [parsePsuId("psu-jana"), parsePsuId("psu-petr")];
const NOBODY: SessionCall = { header: () => undefined };

describe("Sign-ins that authorizations rest on", function signIns() {
  this.timeout(120_000);
  const clock = movableClock();
  let databases: readonly [Database, Database];

  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  function sessionsOf(process: 0 | 1, login = "sandbox") {
    const openStore = openEphemeralStores(databases[process]);
    return createPsuSessions({
      sessions: openStore(),
      seen: openStore(),
      signIns: openStore(),
      stays: openStore(),
      presentSessions: openStore(),
      othersEnded: openStore(),
      blocks: { admits: async () => true },
      clock,
      login,
    });
  }

  const callWith = (cookie: string): SessionCall => ({
    header: (name) => (name === "cookie" ? cookie : undefined),
  });

  const callAfter = (cookies: readonly string[]) =>
    callWith(cookies.map((cookie) => cookie.split(";", 1)[0]).join("; "));

  /** Signs in, in a browser that nobody has used or in the place of the session of a former call. */
  async function signIn(psu = JANA, former = NOBODY, process: 0 | 1 = 0) {
    const session = { psu, authenticatedAt: clock.now(), methods: ["password", "totp"] as const };
    const { cookies, signIn: id } = await sessionsOf(process).begin(former, session);
    return { call: callAfter(cookies), signIn: { psu, id } };
  }

  /** What a change of a factor in the browser of a call does, at a moment of its own; gives the call with its renewed session. */
  async function endOthers(call: SessionCall): Promise<SessionCall> {
    clock.advance(1);
    const session = await sessionsOf(0).find(call);
    if (session === undefined) throw new Error("no session");
    const { cookies } = await sessionsOf(0).endOthers(session);
    clock.advance(1);
    return callAfter(cookies);
  }

  it("have a session that ends an hour after them, however busy, also under another id (OWASP ASVS 7.3.2)", async () => {
    const [kept, busy] = [await signIn(PETR), await signIn()];
    const find = (call: SessionCall) => sessionsOf(1).find(call);
    let { call } = busy;
    for (let minutes = 4; minutes < 60; minutes += 4) {
      clock.advance(4 * MINUTE - 2);
      expect(await find(kept.call), `after ${minutes} minutes`).to.include({ psu: PETR });
      call = await endOthers(call);
    }
    clock.advance(4 * MINUTE - 1);
    expect(await find(kept.call)).to.include({ psu: PETR });
    expect(await find(call)).to.include({ psu: JANA });
    clock.advance(1);
    expect(await find(kept.call)).to.equal(undefined);
    expect(await find(call)).to.equal(undefined);
  });

  it("count for nothing after PSU_LOGIN has changed", async () => {
    const { signIn: made } = await signIn();
    const later = sessionsOf(1, "oidc");
    expect([await later.counts(made), await later.use(made)]).to.deep.equal([false, false]);
  });

  it("count as signed in elsewhere for every browser but their own, until that signs out", async () => {
    const [own, other] = [await signIn(), await signIn(PETR)];
    const elsewhere = (call: SessionCall) => sessionsOf(1).countsElsewhere(call, own.signIn);
    expect(await Promise.all([own.call, other.call, NOBODY].map(elsewhere))).to.deep.equal([
      false,
      true,
      true,
    ]);
    await sessionsOf(0).end(own.call);
    expect(await elsewhere(other.call)).to.equal(false);
  });

  it("count as elsewhere for anyone who knows their browser's name, but not for a later session there (UI-05)", async () => {
    const former = named();
    const own = await signIn(JANA, former);
    const later = await signIn(JANA, own.call);
    const elsewhere = (call: SessionCall) => sessionsOf(1).countsElsewhere(call, own.signIn);
    expect(await Promise.all([former, own.call, later.call].map(elsewhere))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it("count as elsewhere for a copy of a session that then got another id, however long ago (OWASP ASVS 7.4.3)", async () => {
    const own = await signIn();
    clock.advance(1);
    const session = await sessionsOf(0).find(own.call);
    if (session === undefined) throw new Error("no session");
    const elsewhere = (call: SessionCall) => sessionsOf(1).countsElsewhere(call, own.signIn);
    expect(await elsewhere(own.call)).to.equal(false);
    const renewed = callAfter((await sessionsOf(0).endOthers(session)).cookies);
    // Longer than a session may be idle: an authorization waits longer.
    for (const minutes of [0, 9]) {
      clock.advance(minutes * MINUTE);
      expect(await Promise.all([own.call, renewed].map(elsewhere))).to.deep.equal([true, false]);
    }
    clock.advance(1);
  });

  it("count, and can be used by one of 50 callers at once in two processes", async () => {
    const { signIn: mine } = await signIn();
    expect(await sessionsOf(1).counts(mine)).to.equal(true);
    const uses = Array.from({ length: 50 }, (_, index) => sessionsOf(index % 2 ? 1 : 0).use(mine));
    expect((await Promise.all(uses)).filter(Boolean)).to.have.length(1);
    expect(await sessionsOf(1).counts(mine)).to.equal(false);
  });

  it("are used before a simultaneous sign-out or not at all", async () => {
    for (let round = 0; round < 30; round += 1) {
      const { call, signIn: mine } = await signIn();
      const uses = Array.from({ length: 10 }, () => sessionsOf(1).use(mine));
      const ended = sessionsOf(0)
        .end(call)
        .then(() => sessionsOf(1).use(mine));
      expect(await ended).to.equal(false);
      expect((await Promise.all(uses)).filter(Boolean)).to.have.length.below(2);
    }
  });

  it("end with a sign-out after a newer session, with an idle one in between", async () => {
    const first = await signIn();
    clock.advance(6 * MINUTE);
    const second = await signIn(JANA, first.call);
    expect(await sessionsOf(0).counts(first.signIn)).to.equal(true);
    await sessionsOf(0).end(second.call);
    for (const { signIn: each } of [first, second]) expect(await sessionsOf(0).counts(each)).to.equal(false);
  });

  it("end when somebody else signs in in the same browser, whose own sign-in holds", async () => {
    const first = await signIn();
    const second = await signIn(PETR, first.call);
    expect(await sessionsOf(0).counts(first.signIn)).to.equal(false);
    expect(await sessionsOf(0).counts(second.signIn)).to.equal(true);
  });

  for (const [what, end] of [
    ["signs out", (call: SessionCall) => sessionsOf(1).end(call)],
    ["is used by somebody else", (call: SessionCall) => signIn(PETR, call)],
  ] as const)
    it(`end when a browser ${what} that has not received its newest session`, async () => {
      const first = await signIn();
      const unheard = await signIn(JANA, first.call);
      expect(await sessionsOf(0).find(first.call)).to.equal(undefined);
      await end(first.call);
      for (const { signIn: each } of [first, unheard])
        expect(await sessionsOf(0).counts(each)).to.equal(false);
    });

  /** Twenty at once in one browser, in two processes. */
  async function signInAtOnce(former: SessionCall, psuOf: (index: number) => typeof JANA) {
    const begun = Array.from({ length: 20 }, (_, index) => signIn(psuOf(index), former, index % 2 ? 1 : 0));
    return Promise.all(begun);
  }
  const counting = async (all: Awaited<ReturnType<typeof signInAtOnce>>) => {
    const counts = await Promise.all(all.map((each) => sessionsOf(0).counts(each.signIn)));
    return all.filter((_, index) => counts[index]);
  };
  const named = () => callWith(`__Host-psu-browser=${randomBytes(32).toString("base64url")}`);

  it("end with the sign-out, and so do their sessions, however many began in its browser at once", async () => {
    for (const former of [named(), (await signIn()).call]) {
      const begun = await signInAtOnce(former, () => JANA);
      expect(await counting(begun)).to.have.length(20);
      const [first, ...others] = begun;
      await sessionsOf(1).end(first?.call ?? NOBODY);
      expect(await counting(begun)).to.deep.equal([]);
      const found = await Promise.all(others.map(({ call }) => sessionsOf(0).find(call)));
      expect(found.filter((each) => each !== undefined)).to.deep.equal([]);
    }
  });

  it("leave one session of twenty begun at once in one browser, and all count", async () => {
    const begun = await signInAtOnce(named(), () => JANA);
    const found = await Promise.all(begun.map(({ call }) => sessionsOf(0).find(call)));
    expect(found.filter((each) => each !== undefined)).to.have.length(1);
    expect(await counting(begun)).to.have.length(20);
  });

  it("cannot be ended by anyone who only knows their browser's name from before the last sign-out", async () => {
    const former = await signIn();
    const own = await signIn(JANA, callAfter((await sessionsOf(0).end(former.call)).cookies));
    await signIn(PETR, former.call);
    expect(await sessionsOf(0).counts(own.signIn)).to.equal(true);
  });

  it("belong to one PSU when two sign in at once in one browser", async () => {
    for (const former of [named(), (await signIn()).call, (await signIn(PETR)).call]) {
      const left = await counting(await signInAtOnce(former, (index) => (index % 3 ? JANA : PETR)));
      expect(new Set(left.map((each) => each.signIn.psu)).size).to.equal(1);
    }
  });

  it("still count, if the newest, in a browser that nobody has closed for days", async () => {
    const former = await signIn();
    clock.advance(23 * 60 * MINUTE + 1);
    const own = await signIn(JANA, former.call);
    clock.advance(2 * 60 * MINUTE);
    expect(await sessionsOf(0).counts(own.signIn)).to.equal(true);
  });

  it("count only for the PSU who has signed in", async () => {
    const { signIn: mine } = await signIn();
    expect(await sessionsOf(0).counts({ ...mine, psu: PETR })).to.equal(false);
    expect(await sessionsOf(0).use({ ...mine, psu: PETR })).to.equal(false);
  });

  it("end with all others of their PSU except those of the browser that stays", async () => {
    const elsewhere = await signIn();
    const somebody = await signIn(PETR);
    const former = await signIn();
    const own = await signIn(JANA, former.call);
    await endOthers(own.call);
    const later = await signIn();
    const counted = [elsewhere, somebody, former, own, later].map((each) =>
      sessionsOf(1).counts(each.signIn),
    );
    expect(await Promise.all(counted)).to.deep.equal([false, true, true, true, true]);
    expect(await sessionsOf(0).countsElsewhere(NOBODY, elsewhere.signIn)).to.equal(false);
    const used = [elsewhere, somebody, own].map((each) => sessionsOf(1).use(each.signIn));
    expect(await Promise.all(used)).to.deep.equal([false, true, true]);
  });

  it("end also if they begin after all others were ended, from an earlier proof, except in the browser that stays", async () => {
    const own = await signIn();
    clock.advance(1);
    const judged = { psu: JANA, authenticatedAt: clock.now(), methods: ["passkey"] as const };
    await endOthers(own.call);
    const [elsewhere, here] = [
      await sessionsOf(1).begin(NOBODY, judged),
      await sessionsOf(1).begin(own.call, judged),
    ];
    expect(await sessionsOf(0).find(callAfter(elsewhere.cookies))).to.equal(undefined);
    expect(await sessionsOf(0).counts({ psu: JANA, id: elsewhere.signIn })).to.equal(false);
    expect(await sessionsOf(0).find(callAfter(here.cookies))).to.include({ psu: JANA });
  });

  it("stay ended when their own browser ends others later", async () => {
    const former = await signIn();
    const elsewhere = await signIn();
    await endOthers(elsewhere.call);
    const own = await signIn(JANA, former.call);
    await endOthers(own.call);
    const counted = [former, elsewhere, own].map((each) => sessionsOf(1).counts(each.signIn));
    expect(await Promise.all(counted)).to.deep.equal([false, false, true]);
  });

  it("stay ended when one of them ends all others while being ended itself: then all end", async () => {
    const [own, elsewhere] = [await signIn(), await signIn()];
    clock.advance(1);
    const [mine, late] = [await sessionsOf(0).find(own.call), await sessionsOf(1).find(elsewhere.call)];
    if (mine === undefined || late === undefined) throw new Error("no session");
    await sessionsOf(0).endOthers(mine);
    await sessionsOf(1).endOthers(late);
    expect(await sessionsOf(0).find(elsewhere.call)).to.equal(undefined);
    expect(await sessionsOf(0).counts(elsewhere.signIn)).to.equal(false);
    expect(await sessionsOf(0).counts(own.signIn)).to.equal(false);
    clock.advance(1);
    expect(await sessionsOf(0).counts((await signIn()).signIn)).to.equal(true);
  });

  it("stay ended when others are ended again by a process whose clock is behind", async () => {
    clock.advance(1);
    const [own, elsewhere] = [await signIn(), await signIn()];
    const renewed = await endOthers(own.call);
    clock.setWall(-10);
    await endOthers(renewed);
    clock.setWall(10);
    expect(await sessionsOf(0).counts(elsewhere.signIn)).to.equal(false);
  });

  for (const [processes, where] of [
    [1, "one process"],
    [2, "two processes"],
  ] as const)
    it(`all end when twenty end each other at once, in ${where}`, async () => {
      clock.advance(1);
      const all = await signInAtOnce(NOBODY, () => JANA);
      clock.advance(1);
      const found = await Promise.all(all.map(({ call }) => sessionsOf(0).find(call)));
      const sessions = [sessionsOf(0), sessionsOf(1)].slice(0, processes);
      await Promise.all(found.map((each, index) => each && sessions[index % processes]?.endOthers(each)));
      expect(await counting(all)).to.deep.equal([]);
      clock.advance(1);
    });

  it("continue under a new session id when others are ended, which one of fifty callers in two processes gets", async () => {
    clock.advance(1);
    const own = await signIn();
    const session = await sessionsOf(0).find(own.call);
    if (session === undefined) throw new Error("no session");
    clock.advance(1);
    const ended = Array.from({ length: 50 }, (_, index) => sessionsOf(index % 2 ? 1 : 0).endOthers(session));
    const renewed = (await Promise.all(ended)).filter(({ cookies }) => cookies.length > 0);
    expect(renewed).to.have.length(1);
    const [{ id, cookies } = { id: "", cookies: [] }] = renewed;
    expect(id).to.not.equal(session.id);
    expect(await sessionsOf(1).find(own.call)).to.equal(undefined);
    expect(await sessionsOf(0).find(callAfter(cookies))).to.deep.equal({ ...session, id });
    expect(await sessionsOf(0).counts(own.signIn)).to.equal(true);
    for (let minutes = 0; minutes < 56; minutes += 4) {
      expect(await sessionsOf(0).find(callAfter(cookies))).to.include({ id });
      clock.advance(4 * MINUTE);
    }
    clock.advance(4 * MINUTE);
    expect(await sessionsOf(0).find(callAfter(cookies))).to.equal(undefined);
  });

  it("lose the renewed session too when their PSU signs out or in anew in a browser that has not received it", async () => {
    for (const leave of [
      (call: SessionCall) => sessionsOf(1).end(call),
      (call: SessionCall) => signIn(JANA, call),
    ]) {
      clock.advance(1);
      const own = await signIn();
      const name = own.call.header("cookie")?.split("; ")[1] ?? "";
      const session = await sessionsOf(0).find(own.call);
      if (session === undefined) throw new Error("no session");
      clock.advance(1);
      const { cookies } = await sessionsOf(0).endOthers(session);
      const renewed = callWith(`${cookies[0]?.split(";")[0]}; ${name}`);
      expect(await sessionsOf(1).find(renewed)).to.include({ psu: JANA });
      await leave(own.call);
      expect(await sessionsOf(0).find(renewed)).to.equal(undefined);
      // A form of the former session that was on its way brings nothing back.
      expect((await sessionsOf(1).endOthers(session)).cookies).to.deep.equal([]);
      for (const call of [own.call, renewed]) expect(await sessionsOf(0).find(call)).to.equal(undefined);
      clock.advance(1);
    }
  });
});
