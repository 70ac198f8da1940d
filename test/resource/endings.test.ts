import { expect } from "chai";
import { hashOfToken, parseAccessToken } from "../../packages/resource/src/introspection/access-token.ts";
import { eventually } from "../support/eventually.ts";
import { holdAnswers } from "../support/introspection-server.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { MANY } from "./small-bank.ts";

const FRESH_MILLISECONDS = 4_000;
/** It takes milliseconds; this machine may be busy. */
const LIMIT_MILLISECONDS = 10_000;

describe("the resource server that follows auth's event feed", () => {
  let resource: RunningResource;
  beforeEach(async () => {
    resource = await runResource();
  });
  afterEach(() => resource.stop());

  const statusOf = async (token: string) => (await resource.call({ token })).status;
  const hashOf = (token: string) => {
    const parsed = parseAccessToken(token);
    if (parsed === undefined) throw new Error("it is no token");
    return hashOfToken(parsed);
  };
  const timesAsked = (token: string) =>
    resource.auth.asked.filter((form) => form.get("token") === token).length;
  /** Tells it, and waits until resource has taken it. */
  async function tell(kind: string, key: string): Promise<void> {
    const position = resource.auth.feed.tell(kind, key);
    await eventually(() => resource.auth.feed.takenUpTo >= position, LIMIT_MILLISECONDS);
  }

  describe("in normal operation", () => {
    it("asks about a token only once while it follows the feed", async () => {
      const token = resource.giveToken();
      for (let count = 0; count < 5; count += 1) {
        expect(await statusOf(token)).to.equal(200);
        resource.clock.advance(FRESH_MILLISECONDS + 1);
      }
      expect(timesAsked(token)).to.equal(1);
    });

    it("accepts no token past its end when our clock jumps back (CLK-02)", async () => {
      const exp = Math.floor(resource.clock.now().getTime() / 1000) + 60;
      const token = resource.giveToken("aisp-pisp", { exp });
      expect(await statusOf(token)).to.equal(200);
      resource.clock.setWall(-3_600_000);
      resource.clock.advance(58_000);
      expect(await statusOf(token)).to.equal(200);
      resource.auth.tokens.delete(token);
      resource.clock.advance(3_000);
      expect(await statusOf(token)).to.equal(401);
    });

    const ENDED: Readonly<Record<string, (token: string) => readonly [kind: string, key: string]>> = {
      "the token": (token) => ["token", hashOf(token)],
      "its consent": () => ["consent", "consent-of-the-ended"],
      "its application": () => ["application", "application-of-the-ended"],
      "its PSU": () => ["psu_blocked", MANY],
    };
    for (const [what, eventOf] of Object.entries(ENDED)) {
      it(`ends a remembered token when ${what} has ended`, async () => {
        const claims = { consent_id: "consent-of-the-ended", client_id: "application-of-the-ended" };
        const token = resource.giveToken("aisp-pisp", claims);
        expect(await statusOf(token)).to.equal(200);
        resource.auth.tokens.delete(token);
        await tell(...eventOf(token));
        expect(await statusOf(token)).to.equal(401);
      });
    }

    it("keeps tokens that do not depend on what has ended", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      await tell("token", hashOf(resource.giveToken()));
      await tell("consent", "another");
      await tell("application", "consent-1");
      await tell("psu_blocked", "another");
      for (const kind of ["signing_approved", "signing_refused", "signing_expired"])
        await tell(kind, "order");
      expect(await statusOf(token)).to.equal(200);
      expect(timesAsked(token)).to.equal(1);
    });

    it("forgets everything on an event of an unknown kind", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      await tell("of_a_later_version", "any");
      expect(await statusOf(token)).to.equal(200);
      expect(timesAsked(token)).to.equal(2);
      expect(resource.auth.keyFetches, "it may be a key that was dropped").to.equal(2);
    });

    it("forgets everything when auth has lost its position, as after a restored backup", async () => {
      await tell("consent", "another");
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      resource.auth.tokens.delete(token);
      resource.auth.feed.head = 0;
      resource.auth.feed.forget();
      await eventually(async () => (await statusOf(token)) === 401, LIMIT_MILLISECONDS);
      expect(resource.auth.stopListFetches).to.equal(2);
      expect(resource.auth.keyFetches, "that a key was dropped may be among what is not told").to.equal(2);
    });
  });

  describe("when auth's database comes back without its last changes", () => {
    it("forgets everything, although other events have since taken the lost positions", async () => {
      const token = resource.giveToken();
      await tell("consent", "another");
      expect(await statusOf(token)).to.equal(200);
      resource.auth.feed.lose();
      resource.auth.tokens.delete(token);
      resource.auth.feed.tell("consent", "consent-1");
      await tell("consent", "yet another");
      await eventually(async () => (await statusOf(token)) === 401, LIMIT_MILLISECONDS);
      expect(resource.auth.stopListFetches).to.equal(2);
    });

    describe("with an answer under way whose position has become another event's", () => {
      /** What gives the answer, once everything was forgotten; what it tells of the token has ended then. */
      async function holdOverBeginning(token: string) {
        const { auth } = resource;
        for (const each of ["first", "second", "third"]) await tell("consent", each);
        const release = holdAnswers(auth);
        const early = statusOf(token);
        await eventually(() => auth.asked.length === 1);
        for (let lost = 0; lost < 2; lost += 1) auth.feed.lose();
        auth.tokens.delete(token);
        auth.feed.tell("consent", "consent-1");
        await eventually(() => auth.stopListFetches === 2, LIMIT_MILLISECONDS);
        await eventually(async () => (await resource.metric("auth_endings_position")) === 2);
        return { early, release };
      }

      it("uses the answer for the asking call only", async () => {
        const token = resource.giveToken();
        const { early, release } = await holdOverBeginning(token);
        release();
        expect(await early).to.equal(200);
        expect(await statusOf(token)).to.equal(401);
      });

      it("gives the answer to no call made after everything was forgotten", async () => {
        const token = resource.giveToken();
        const { early, release } = await holdOverBeginning(token);
        const late = statusOf(token);
        await eventually(() => timesAsked(token) === 2);
        release();
        expect([await early, await late]).to.deep.equal([200, 401]);
      });
    });
  });

  describe("when auth drops a key", () => {
    it("remembers no answer that was being verified with it, whatever position the answer names", async () => {
      const { auth } = resource;
      let releaseKeys = () => {};
      auth.holdKeys = new Promise((resolve) => (releaseKeys = resolve));
      const fetching = statusOf(resource.giveToken());
      await eventually(() => auth.keyFetches === 1);
      auth.feed.isCut = true;
      auth.dropFirstKey();
      const token = resource.giveToken();
      const verifying = statusOf(token);
      await eventually(() => timesAsked(token) === 1);
      auth.feed.isCut = false;
      await eventually(() => auth.feed.takenUpTo === 1, LIMIT_MILLISECONDS);
      releaseKeys();
      // One of a slow machine comes to be verified only now, and is not believed.
      expect(await verifying).to.be.oneOf([200, 503]);
      expect(await fetching).to.equal(200);
      expect(await statusOf(token)).to.equal(503);
    });
  });

  describe("while an answer about a token is under way", () => {
    it("uses the answer for the asking call only, if an ending arrives meanwhile", async () => {
      const token = resource.giveToken();
      const release = holdAnswers(resource.auth);
      const early = statusOf(token);
      await eventually(() => resource.auth.asked.length === 1);
      resource.auth.tokens.delete(token);
      await tell("consent", "consent-1");
      release();
      expect(await early).to.equal(200);
      expect(await statusOf(token)).to.equal(401);
    });

    it("gives the answer to no call made after the ending", async () => {
      const token = resource.giveToken();
      const release = holdAnswers(resource.auth);
      const early = statusOf(token);
      await eventually(() => resource.auth.asked.length === 1);
      resource.auth.tokens.delete(token);
      await tell("token", hashOf(token));
      const late = Array.from({ length: 20 }, () => statusOf(token));
      // Time to arrive and join the question; one that comes later has to ask itself anyway.
      const arriving = performance.now();
      await eventually(() => performance.now() - arriving > 200);
      release();
      expect(await early).to.equal(200);
      expect(new Set(await Promise.all(late))).to.deep.equal(new Set([401]));
    });

    it("remembers an answer made after all endings received so far", async () => {
      const token = resource.giveToken();
      await tell("consent", "another");
      expect(await statusOf(token)).to.equal(200);
      expect(await statusOf(token)).to.equal(200);
      expect(timesAsked(token)).to.equal(1);
    });
  });

  describe("with the feed cut", () => {
    it("admits nobody once its knowledge is too old, and catches up before it admits again", async () => {
      const [ended, other] = [resource.giveToken("aisp-pisp", { consent_id: "ended" }), resource.giveToken()];
      expect([await statusOf(ended), await statusOf(other)]).to.deep.equal([200, 200]);
      resource.auth.feed.isCut = true;
      resource.auth.feed.tell("consent", "ended");
      resource.auth.tokens.delete(ended);
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      expect([await statusOf(ended), await statusOf(other)]).to.deep.equal([503, 503]);
      resource.auth.feed.isCut = false;
      expect([await statusOf(ended), await statusOf(other)]).to.deep.equal([401, 200]);
      expect(timesAsked(other)).to.equal(1);
    });

    it("is not misled by a wall clock set back (CLK-02)", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      resource.auth.feed.isCut = true;
      resource.clock.setWall(-3_600_000);
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      expect(await statusOf(token)).to.equal(503);
    });

    it("admits nobody on what it knew before the machine was suspended", async () => {
      const token = resource.giveToken("aisp-pisp", { consent_id: "ended" });
      expect(await statusOf(token)).to.equal(200);
      resource.auth.feed.isCut = true;
      resource.auth.feed.tell("consent", "ended");
      resource.auth.tokens.delete(token);
      resource.clock.setWall(FRESH_MILLISECONDS + 1);
      expect(await statusOf(token)).to.equal(503);
      resource.auth.feed.isCut = false;
      expect(await statusOf(token)).to.equal(401);
    });

    it("shows in metrics its position in the feed and the age of its knowledge", async () => {
      await tell("consent", "another");
      expect(await resource.metric("auth_endings_position")).to.equal(1);
      expect(await resource.metric("auth_endings_age_seconds")).to.equal(0);
      expect(await resource.metric("auth_endings_freshness_seconds")).to.equal(4);
      resource.auth.feed.isCut = true;
      resource.clock.advance(7_000);
      expect(await resource.metric("auth_endings_age_seconds")).to.equal(7);
    });

    it("logs the cut once, and the recovery once", async () => {
      const told = () =>
        resource.logLines
          .map(({ msg }) => msg)
          .filter((msg) => /the event feed of auth .* read/.test(String(msg)));
      resource.auth.feed.isCut = true;
      await eventually(() => told().length === 1, LIMIT_MILLISECONDS);
      resource.auth.feed.isCut = false;
      await eventually(() => told().length === 2);
      expect(told()).to.deep.equal([
        "the event feed of auth cannot be read",
        "the event feed of auth is being read again",
      ]);
    });
  });
});
