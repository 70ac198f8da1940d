import { PRIVATE_CALL_LIMIT_MILLISECONDS } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { holdAnswers } from "../support/introspection-server.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const FRESH_MILLISECONDS = 4_000;
const CALLERS = 50;
/** To auth, at once. */
const CONNECTIONS = 32;

describe("introspection by the resource server", () => {
  let resource: RunningResource;
  beforeEach(async () => {
    resource = await runResource();
  });
  afterEach(() => resource.stop());

  const statusOf = async (token: string) => (await resource.call({ token })).status;

  describe("freshness of remembered answers", () => {
    // What is remembered is asked about again only where it cannot be told what has ended.
    const cutFeed = () => {
      resource.auth.feed.isCut = true;
    };

    it("saves asking again for four seconds, also without the event feed", async () => {
      cutFeed();
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(FRESH_MILLISECONDS);
      expect(await statusOf(token)).to.equal(200);
      expect(resource.auth.asked).to.have.length(1);
    });

    it("ends when the answers about the token and about endings are both older than four seconds", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      cutFeed();
      resource.auth.tokens.delete(token);
      resource.clock.advance(FRESH_MILLISECONDS);
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(1);
      expect(await statusOf(token)).to.equal(503);
    });

    it("does not outlast the token", async () => {
      const exp = Math.floor(resource.clock.now().getTime() / 1000) + 2;
      const token = resource.giveToken("aisp-pisp", { exp });
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(3_000);
      expect(await statusOf(token)).to.equal(401);
    });

    it("does not outlast the token by auth's clock, which may be ahead of ours (CLK-02)", async () => {
      const HOUR_SECONDS = 3_600;
      resource.auth.alter = ({ header, claims: { iat = 0, ...claims } }) => ({
        header,
        claims: { ...claims, iat: iat + HOUR_SECONDS },
      });
      const exp = Math.floor(resource.clock.now().getTime() / 1000) + HOUR_SECONDS + 2;
      const token = resource.giveToken("aisp-pisp", { exp });
      expect(await statusOf(token)).to.equal(200);
      resource.auth.tokens.delete(token);
      resource.clock.advance(999);
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(1_001);
      expect(await statusOf(token)).to.equal(401);
    });

    it("goes by the monotonic clock: setting back the wall clock revives nothing (CLK-02)", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      cutFeed();
      resource.auth.tokens.delete(token);
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      resource.clock.setWall(-3_600_000);
      expect(await statusOf(token)).to.equal(503);
    });

    it("is not given to unusable tokens, so that made-up ones displace nothing", async () => {
      expect(await statusOf("made-up")).to.equal(401);
      expect(await statusOf("made-up")).to.equal(401);
      expect(resource.auth.asked).to.have.length(2);
    });

    it("is for one token: another of the same TPP is asked about", async () => {
      await statusOf(resource.giveToken());
      await statusOf(resource.giveToken());
      expect(resource.auth.asked).to.have.length(2);
    });
  });

  describe("simultaneous calls", () => {
    it("share one question per token", async () => {
      const token = resource.giveToken();
      const release = holdAnswers(resource.auth);
      const calls = Array.from({ length: 12 }, () => statusOf(token));
      await eventually(() => resource.auth.asked.length > 0);
      release();
      expect(new Set(await Promise.all(calls))).to.deep.equal(new Set([200]));
      expect(resource.auth.asked).to.have.length(1);
    });

    it("do not join a question sent too long ago", async () => {
      const token = resource.giveToken();
      const release = holdAnswers(resource.auth);
      const early = statusOf(token);
      await eventually(() => resource.auth.asked.length === 1);
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      resource.auth.tokens.delete(token);
      const late = statusOf(token);
      await eventually(() => resource.auth.asked.length === 2);
      release();
      expect(await late).to.equal(401);
      await early;
      expect(await statusOf(token)).to.equal(401);
    });
  });

  describe("auth's keys", () => {
    it("are fetched once", async () => {
      await statusOf(resource.giveToken());
      await statusOf(resource.giveToken());
      expect(resource.auth.keyFetches).to.equal(1);
    });

    it("are fetched again for an unknown key id", async () => {
      expect(await statusOf(resource.giveToken())).to.equal(200);
      await resource.auth.rotateKey();
      resource.clock.advance(5_000);
      expect(await statusOf(resource.giveToken())).to.equal(200);
      expect(resource.auth.keyFetches).to.equal(2);
    });

    it("are fetched at most every five seconds, however many unknown key ids come", async () => {
      resource.auth.alter = ({ header, claims }) => ({ header: { ...header, kid: "unknown" }, claims });
      for (let count = 0; count < 5; count += 1) expect(await statusOf(resource.giveToken())).to.equal(503);
      expect(resource.auth.keyFetches).to.equal(1);
    });

    it("are forgotten with all that they verified as soon as auth reports that one was dropped", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      resource.auth.dropFirstKey();
      await eventually(() => resource.auth.feed.takenUpTo === resource.auth.feed.head);
      expect(await statusOf(token)).to.equal(503);
      expect(resource.auth.asked).to.have.length(2);
    });

    it("are not remembered when one was dropped while they were being fetched", async () => {
      let release = () => {};
      resource.auth.holdKeys = new Promise((resolve) => {
        release = resolve;
      });
      const early = statusOf(resource.giveToken());
      await eventually(() => resource.auth.keyFetches === 1);
      resource.auth.dropFirstKey();
      await eventually(() => resource.auth.feed.takenUpTo === resource.auth.feed.head);
      release();
      await early;
      expect(await statusOf(resource.giveToken())).to.equal(503);
    });

    it("are trusted for no longer than a minute, so that a withdrawn key ends", async () => {
      await statusOf(resource.giveToken());
      resource.clock.advance(60_000);
      await statusOf(resource.giveToken());
      expect(resource.auth.keyFetches).to.equal(2);
    });
  });

  describe("when auth is down", () => {
    it("serves what is fresh, then answers 503 with Retry-After, and recovers by itself", async () => {
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(200);
      await resource.auth.close();
      expect(await statusOf(token)).to.equal(200);
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      const answer = await resource.call({ token });
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers["retry-after"])).to.be.greaterThan(0);
      expect(JSON.parse(answer.body).errors[0].error).to.equal("NARR");
      expect(answer.body).not.to.match(/auth|ECONN|introspect/i);
      await resource.auth.reopen();
      expect(await statusOf(token)).to.equal(200);
    });

    it("does not wait long when auth hangs", async () => {
      const hasty = await runResource({}, undefined, {
        peerLimitMilliseconds: PRIVATE_CALL_LIMIT_MILLISECONDS,
      });
      const release = holdAnswers(hasty.auth);
      const waited = startWaiting();
      const answer = await hasty.call({ token: hasty.giveToken() });
      expect(answer.status).to.equal(503);
      expect(waited()).to.be.lessThan(4_500);
      release();
      await hasty.stop();
    });

    it("asks again over another connection when one of auth's processes is killed, unnoticed by callers", async () => {
      const release = holdAnswers(resource.auth);
      const answers = Array.from({ length: CALLERS }, () => statusOf(resource.giveToken()));
      await eventually(() => resource.auth.asked.length === CONNECTIONS);
      release();
      resource.auth.breakConnections();
      expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([200]));
      expect(resource.auth.asked, "those that were lost were asked again, the others once").to.have.length(
        CALLERS + CONNECTIONS,
      );
    });

    it("answers 503 when the second connection breaks as well, and recovers by itself", async () => {
      const token = resource.giveToken();
      resource.auth.write = () => {
        resource.auth.breakConnections();
        return { status: 200, body: "" };
      };
      expect(await statusOf(token)).to.equal(503);
      expect(resource.auth.asked).to.have.length(2);
      resource.auth.write = undefined;
      expect(await statusOf(token)).to.equal(200);
    });

    it("still refuses callers without a certificate", async () => {
      await resource.auth.close();
      expect((await resource.call({ certificate: null })).status).to.equal(401);
      await resource.auth.reopen();
    });
  });
});
