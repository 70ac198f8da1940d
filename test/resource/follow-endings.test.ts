import { setTimeout as delay } from "node:timers/promises";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { createAnswerMemory } from "../../packages/resource/src/endings/answer-memory.ts";
import type {
  Beginning,
  BlockedParties,
  Ending,
  EndingBatch,
  EndingSource,
} from "../../packages/resource/src/endings/ending.ts";
import { EndingsRefusal } from "../../packages/resource/src/endings/endings-refusal.ts";
import { type FollowedEndings, followEndings } from "../../packages/resource/src/endings/follow-endings.ts";
import { type AuthAnswer, rememberAnswers } from "../../packages/resource/src/endings/remember-answers.ts";
import { parseAccessToken } from "../../packages/resource/src/introspection/access-token.ts";
import { parseTokenDescription } from "../../packages/resource/src/introspection/parse-token-description.ts";
import { rememberIntrospections } from "../../packages/resource/src/introspection/remember-introspections.ts";
import { rememberTokens } from "../../packages/resource/src/introspection/remembered-tokens.ts";
import type { ConsentId } from "../../packages/resource/src/introspection/token-introspection.ts";
import { createQuestionAllowance } from "../../packages/resource/src/limits/question-allowance.ts";
import { createQuestionShare } from "../../packages/resource/src/limits/question-share.ts";
import { eventually } from "../support/eventually.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";

const NOBODY: BlockedParties = { organisationIdentifiers: new Set(), thumbprints: new Set() };
const FRESH_MILLISECONDS = 4_000;

/** A question that a test answers by hand; `wait` tells who asked: the follower waits, a call does not. */
interface HeldQuestion {
  readonly after: number;
  readonly mark: string | undefined;
  readonly wait: number;
  readonly answer: (batch: EndingBatch | undefined) => void;
  readonly fail: (why?: Error) => void;
}

function heldSource() {
  const begun: ((beginning: Beginning) => void)[] = [];
  const asked: HeldQuestion[] = [];
  const source: EndingSource = {
    begin: () => new Promise((resolve) => void begun.push(resolve)),
    after: ({ position: after, mark }, wait, signal) =>
      new Promise((answer, reject) => {
        const fail = (why = new Error("silent")) => reject(why);
        signal?.addEventListener("abort", () => fail(), { once: true });
        asked.push({ after, mark, wait, answer, fail });
      }),
  };
  return { begun, asked, source };
}

const consent = (position: number) => ({
  position,
  mark: `m${position}`,
  ending: { kind: "consent", id: `c${position}` } as const,
});
const batch = (head: number, ...positions: readonly number[]): EndingBatch => ({
  head,
  endings: positions.map(consent),
});

describe("the follower of auth's endings", () => {
  const clock = movableClock();
  let held: ReturnType<typeof heldSource>;
  let taken: Ending[];
  let beginnings: number;
  let endings: FollowedEndings;
  let lines: readonly Record<string, unknown>[];
  beforeEach(() => {
    held = heldSource();
    taken = [];
    beginnings = 0;
    const taker = {
      begin: () => {
        beginnings += 1;
      },
      take: (ending: Ending) => void taken.push(ending),
    };
    const readable = readableLog();
    const { log } = readable;
    lines = readable.lines;
    endings = followEndings(held.source, { takers: [taker], freshnessSeconds: 4, clock, log });
  });
  afterEach(() => {
    for (const begin of held.begun) begin({ position: 0, mark: undefined, blocked: NOBODY });
    return endings.stop();
  });

  const questionOf = async (count: number): Promise<HeldQuestion> => {
    await eventually(() => held.asked.length >= count);
    const question = held.asked[count - 1];
    if (question === undefined) throw new Error("nothing was asked");
    return question;
  };
  async function begin(position = 10): Promise<void> {
    await eventually(() => held.begun.length > 0);
    held.begun.shift()?.({ position, mark: `m${position}`, blocked: NOBODY });
    await eventually(() => endings.position() === position);
  }

  it("has begun, and is fresh, only once the list was loaded with its position", async () => {
    expect([endings.position(), endings.isFresh()]).to.deep.equal([undefined, false]);
    const waiting = endings.hasBegun();
    await begin(10);
    expect(await waiting).to.equal(true);
    expect([endings.position(), endings.isFresh()]).to.deep.equal([10, true]);
    expect((await questionOf(1)).after).to.equal(10);
  });

  it("takes events in order, and asks for those after the last one, by its mark", async () => {
    await begin(10);
    expect((await questionOf(1)).mark).to.equal("m10");
    (await questionOf(1)).answer(batch(12, 11, 12));
    expect((await questionOf(2)).after).to.equal(12);
    expect((await questionOf(2)).mark).to.equal("m12");
    expect(taken).to.deep.equal([consent(11).ending, consent(12).ending]);
  });

  it("counts freshness from when the question was sent, and only for an answer without a gap", async () => {
    await begin(10);
    const question = await questionOf(1);
    clock.advance(FRESH_MILLISECONDS);
    expect(endings.isFresh()).to.equal(true);
    question.answer(batch(10));
    await questionOf(2);
    clock.advance(1);
    expect(endings.isFresh()).to.equal(false);
    (await questionOf(2)).answer(batch(10));
    await questionOf(3);
    expect(endings.isFresh()).to.equal(true);
  });

  it("counts freshness from when the list was asked for, however late the answer", async () => {
    await eventually(() => held.begun.length > 0);
    clock.advance(FRESH_MILLISECONDS);
    await begin(10);
    expect(endings.isFresh()).to.equal(true);
    clock.advance(1);
    expect(endings.isFresh()).to.equal(false);
  });

  it("pauses before it asks again after a failure", async () => {
    await begin(10);
    (await questionOf(1)).fail();
    await delay(50);
    expect(held.asked).to.have.length(1);
    await questionOf(2);
  });

  it("logs once each reason why it cannot ask, and each recovery", async () => {
    await begin(10);
    const refusal = () => new EndingsRefusal("events_status", "answered with 403");
    const silent = () => undefined;
    for (const [index, why] of [silent, silent, refusal, silent, refusal].entries())
      (await questionOf(index + 1)).fail(why());
    (await questionOf(6)).answer(batch(10));
    (await questionOf(7)).fail();
    await questionOf(8);
    const cannot = "the event feed of auth cannot be read";
    expect(lines.map(({ msg, detail }) => [msg, detail])).to.deep.equal([
      [cannot, undefined],
      [cannot, "answered with 403"],
      ["the event feed of auth is being read again", undefined],
      [cannot, undefined],
    ]);
  });

  it("is not fresh after an answer that leaves more to ask for, however new it is", async () => {
    await begin(10);
    clock.advance(FRESH_MILLISECONDS + 1);
    (await questionOf(1)).answer(batch(13, 11));
    const next = await questionOf(2);
    expect([next.after, endings.isFresh()]).to.deep.equal([11, false]);
  });

  for (const [what, answer] of Object.entries({
    "events that begin too late": batch(12, 12),
    "events with one missing": batch(13, 11, 13),
    "events from before the position": batch(11, 5),
    "no events below a higher head": batch(11),
    "a head below the position": batch(9),
    "word that the position is gone": undefined,
  })) {
    it(`begins anew after ${what}`, async () => {
      await begin(10);
      (await questionOf(1)).answer(answer);
      await begin(20);
      expect(beginnings).to.equal(2);
      expect((await questionOf(2)).after).to.equal(20);
    });
  }

  it("pauses before it begins anew repeatedly, and logs once that it does and once that it is over", async () => {
    await begin(10);
    (await questionOf(1)).answer(undefined);
    await begin(20);
    (await questionOf(2)).answer(undefined);
    await begin(30);
    await delay(50);
    expect(held.asked).to.have.length(2);
    (await questionOf(3)).answer(batch(31, 31));
    clock.advance(10_000);
    (await questionOf(4)).answer(batch(32, 32));
    expect((await questionOf(5)).after).to.equal(32);
    expect(lines.map(({ msg, position }) => [msg, position])).to.deep.equal([
      ["the event feed of auth cannot continue from this position; starting over", 10],
      ["the event feed of auth continues again", undefined],
    ]);
  });

  it("waits without further log lines while it keeps beginning anew, as when auth has two databases", async () => {
    const anew = "the event feed of auth cannot continue from this position; starting over";
    await begin(10);
    (await questionOf(1)).answer(undefined);
    await begin(20);
    for (const count of [2, 4]) {
      (await questionOf(count)).answer(batch(21, 21));
      clock.advance(9_999);
      (await questionOf(count + 1)).answer(undefined);
      await begin(20);
      await delay(50);
      expect(held.asked).to.have.length(count + 1);
    }
    expect(lines.map(({ msg }) => msg)).to.deep.equal([anew]);
  });

  it("catches up for fifty calls with one extra question, and takes each event once", async () => {
    await begin(10);
    const waiting = await questionOf(1);
    clock.advance(FRESH_MILLISECONDS + 1);
    const calls = Array.from({ length: 50 }, () => endings.catchUp());
    const question = await questionOf(2);
    // Three answers in a row may be lost within the bound, as long as each comes within a second.
    expect([waiting.wait, question.wait]).to.deep.equal([1_000, 0]);
    question.answer(batch(12, 11, 12));
    await Promise.all(calls);
    expect([endings.isFresh(), held.asked.length]).to.deep.equal([true, 2]);
    waiting.answer(batch(13, 11, 12, 13));
    await questionOf(3);
    expect(taken).to.deep.equal([11, 12, 13].map((position) => consent(position).ending));
  });

  it("catches up with everything that auth has, and is not fresh before that", async () => {
    await begin(10);
    await questionOf(1);
    clock.advance(FRESH_MILLISECONDS + 1);
    const caughtUp = endings.catchUp();
    (await questionOf(2)).answer(batch(12, 11));
    await eventually(() => held.asked.length === 3, 5_000);
    expect([endings.position(), endings.isFresh()]).to.deep.equal([11, false]);
    (await questionOf(3)).answer(batch(12, 12));
    await caughtUp;
    expect([endings.position(), endings.isFresh(), held.asked.length]).to.deep.equal([12, true, 3]);
  });

  it("begins anew when a late answer goes on from beyond the new beginning", async () => {
    await begin(10);
    const waiting = await questionOf(1);
    const calling = endings.catchUp();
    (await questionOf(2)).answer(undefined);
    await begin(5);
    await calling;
    waiting.answer(batch(12, 11, 12));
    await begin(12);
    expect([beginnings, taken]).to.deep.equal([3, []]);
  });

  it("joins no question sent longer ago than the bound", async () => {
    await begin(10);
    await questionOf(1);
    const early = endings.catchUp().catch(() => "failed");
    await questionOf(2);
    clock.advance(FRESH_MILLISECONDS + 1);
    const late = endings.catchUp();
    (await questionOf(3)).answer(batch(10));
    await late;
    (await questionOf(2)).fail();
    expect(await early).to.equal("failed");
  });

  it("goes on from its position after any silence of auth", async () => {
    await begin(10);
    (await questionOf(1)).fail();
    clock.advance(3_600_000);
    const again = await questionOf(2);
    expect([again.after, endings.isFresh()]).to.deep.equal([10, false]);
    again.answer(batch(11, 11));
    await questionOf(3);
    expect([beginnings, endings.isFresh(), taken.length]).to.deep.equal([1, true, 1]);
  });

  describe("with a memory of tokens", () => {
    const token = parseAccessToken("a-token");
    const claims = {
      active: true,
      token_type: "Bearer",
      aud: "https://rs",
      cnf: { "x5t#S256": thumbprintOf(Buffer.from("certificate")) },
      client_id: "application",
      sub: "psu",
      scope: "aisp",
      exp: 4_000_000_000,
      organisation_identifier: "PSDCZ-CNB-1",
      consent_id: "consent",
      account_ids: ["a"],
      consented_services: ["aisp"],
    };
    const description = parseTokenDescription(claims, "https://rs");

    function remembering(
      followed: Pick<FollowedEndings, "position" | "isFresh">,
      remembered = rememberTokens(),
    ) {
      let asked = 0;
      let position: number | undefined = 10;
      let described = description;
      const introspection = {
        describe: async () => {
          asked += 1;
          // As `iat` tells it.
          const answeredAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
          return { description: described, answeredAt, position };
        },
      };
      const countCache = () => ({ hit: () => {}, missed: () => {} });
      const allowance = createQuestionAllowance({ perMinute: 1, waitMilliseconds: 1_000 }, clock);
      const share = createQuestionShare(1_000, clock);
      const parts = {
        remembered,
        allowance,
        share,
        endings: followed,
        freshnessSeconds: 4,
        clock,
        countCache,
      };
      const { describe: ask } = rememberIntrospections(introspection, parts);
      const bearer = { organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1") };
      return {
        call: () => (token === undefined ? undefined : ask(token, bearer)),
        timesAsked: () => asked,
        answerWith: (next: number | undefined, saying = description) => {
          position = next;
          described = saying;
        },
      };
    }

    it("remembers nothing before the beginning, so that no start relies on what may have ended", async () => {
      const memory = remembering(endings);
      await memory.call();
      await begin(12);
      await memory.call();
      expect(memory.timesAsked()).to.equal(2);
    });

    it("forgets at a beginning what was remembered before it", async () => {
      const remembered = rememberTokens();
      const memory = remembering({ position: () => 10, isFresh: () => true }, remembered);
      await memory.call();
      await memory.call();
      expect(memory.timesAsked()).to.equal(1);
      remembered.begin(NOBODY);
      await memory.call();
      expect(memory.timesAsked()).to.equal(2);
    });

    it("uses an answer only once if it names an older position, or none", async () => {
      const memory = remembering({ position: () => 11, isFresh: () => true });
      for (const position of [10, undefined]) {
        memory.answerWith(position);
        expect(await memory.call()).to.equal(description);
      }
      memory.answerWith(11);
      for (let count = 0; count < 3; count += 1) await memory.call();
      expect(memory.timesAsked()).to.equal(3);
    });

    it("asks once for all callers that wait for their turn to ask", async () => {
      const memory = remembering({ position: () => 10, isFresh: () => true });
      await Promise.all([memory.call(), memory.call(), memory.call()]);
      expect(memory.timesAsked()).to.equal(1);
    });

    it("drops what auth said of a token before calling it unusable", async () => {
      let isFresh = true;
      const memory = remembering({ position: () => 10, isFresh: () => isFresh });
      expect(await memory.call()).to.equal(description);
      isFresh = false;
      clock.advance(4_001);
      const unusable = parseTokenDescription({ active: false }, "https://rs");
      memory.answerWith(10, unusable);
      expect(await memory.call()).to.equal(unusable);
      isFresh = true;
      clock.advance(60_000);
      expect(await memory.call()).to.equal(unusable);
    });

    it("accepts no token past its end by auth's clock, which gives whole seconds", async () => {
      const memory = remembering({ position: () => 10, isFresh: () => true });
      const nextSecond = 1000 - (clock.now().getTime() % 1000);
      clock.advance(nextSecond + 999);
      const exp = (clock.now().getTime() + 2_001) / 1000;
      memory.answerWith(10, parseTokenDescription({ ...claims, exp }, "https://rs"));
      await memory.call();
      clock.advance(1_999);
      await memory.call();
      expect(memory.timesAsked()).to.equal(1);
      clock.advance(2);
      await memory.call();
      expect(memory.timesAsked()).to.equal(2);
    });

    describe("with a slow answer", () => {
      type Said = AuthAnswer<string, string>;
      const ended = async (): Promise<Said> => ({ answer: "ended", position: 10, lasting: undefined });
      const active = (milliseconds: number): Said => ({
        answer: "active",
        position: 10,
        lasting: { answer: "active", milliseconds },
      });
      function recalling() {
        const memory = createAnswerMemory<string>({ most: 10, namesOf: () => [] });
        let position = 10;
        const counted: string[] = [];
        const countCache = () => ({ hit: () => counted.push("hit"), missed: () => counted.push("missed") });
        const followed = { position: () => position, isFresh: () => true };
        const parts = { endings: followed, freshnessSeconds: 4, clock, countCache };
        const remember = rememberAnswers<string, string>({ name: "tokens", memory }, parts);
        const recall = (key: string, ask: () => Promise<Said>) =>
          remember(key, ask, async (askAuth) => askAuth());
        let answerLate: (said: Said) => void = () => {};
        const early = recall("hash", () => new Promise<Said>((resolve) => (answerLate = resolve)));
        const endAt = (newest: number) => (position = newest);
        return { recall, early, answerLate: (said: Said) => answerLate(said), endAt, counted };
      }

      it("restores nothing by an early question's answer that arrives after a later one's", async () => {
        const { recall, early, answerLate } = recalling();
        clock.advance(FRESH_MILLISECONDS + 1);
        expect(await recall("hash", ended)).to.equal("ended");
        answerLate(active(60_000));
        expect(await early).to.equal("active");
        expect(await recall("hash", ended)).to.equal("ended");
      });

      it("lets others join the later question, also when the earlier one was answered meanwhile", async () => {
        const { recall, early, answerLate } = recalling();
        clock.advance(FRESH_MILLISECONDS + 1);
        let asked = 0;
        let answerNow: (said: Said) => void = () => {};
        const ask = () => {
          asked += 1;
          return new Promise<Said>((resolve) => (answerNow = resolve));
        };
        const later = [recall("hash", ask)];
        answerLate(active(60_000));
        await early;
        later.push(recall("hash", ask));
        expect(asked).to.equal(1);
        answerNow(active(60_000));
        expect(await Promise.all(later)).to.deep.equal(["active", "active"]);
      });

      it("asks again for a call after an ending that joined a question from before it, and counts it once", async () => {
        const { recall, early, answerLate, endAt, counted } = recalling();
        endAt(11);
        const later = recall("hash", async () => ({ ...(await ended()), position: 11 }));
        answerLate(active(60_000));
        expect(await early).to.equal("active");
        expect(await later).to.equal("ended");
        expect(counted).to.deep.equal(["missed", "missed"]);
      });

      it("counts how long an answer lasts from when it was asked for", async () => {
        const { recall, early, answerLate } = recalling();
        clock.advance(3_000);
        answerLate(active(10_000));
        await early;
        clock.advance(6_999);
        expect(await recall("hash", ended)).to.equal("active");
        clock.advance(1);
        expect(await recall("hash", ended)).to.equal("ended");
      });
    });

    it("holds twenty thousand tokens and forgets the least used, with what they depend on", () => {
      const remembered = rememberTokens();
      if (!description.usable) throw new Error("the token is not usable");
      for (let count = 0; count <= 20_000; count += 1)
        remembered.keep(`hash-${count}`, { sentAt: 0, endsAt: 0, answer: description });
      expect(remembered.find("hash-0")).to.equal(undefined);
      expect(remembered.find("hash-20000")?.answer).to.equal(description);
      remembered.take({ kind: "consent", id: "consent" });
      expect(remembered.find("hash-20000")).to.equal(undefined);
    });

    it("forgets all remaining tokens of an ended consent, also after one ended by itself", () => {
      const remembered = rememberTokens();
      if (!description.usable) throw new Error("the token is not usable");
      for (const hash of ["first", "second", "third"])
        remembered.keep(hash, { sentAt: 0, endsAt: 0, answer: description });
      remembered.take({ kind: "token", hash: "first" });
      expect(remembered.size()).to.equal(2);
      remembered.take({ kind: "consent", id: "consent" });
      expect(remembered.size()).to.equal(0);
    });

    it("frees all memory of forgotten tokens and of what they depended on", () => {
      const remembered = rememberTokens();
      if (!description.usable) throw new Error("the token is not usable");
      const { consent: former } = description;
      remembered.keep("another", { sentAt: 0, endsAt: 0, answer: description });
      const held = heapAfterCollection();
      for (let count = 0; count < 20_000; count += 1) {
        // A consent of its own for each; the application and the PSU are those of all.
        const answer = { ...description, consent: { ...former, id: `${former.id}-${count}` as ConsentId } };
        remembered.keep(`hash-${count}`, { sentAt: 0, endsAt: 0, answer });
        remembered.take({ kind: "token", hash: `hash-${count}` });
      }
      expect(remembered.size()).to.equal(1);
      expect(heapAfterCollection() - held).to.be.below(1_048_576);
    });

    it("holds fewer tokens of consents with very many accounts, which take more room", () => {
      const remembered = rememberTokens();
      if (!description.usable) throw new Error("the token is not usable");
      const accounts = Array.from({ length: 9_999 }, () => description.consent.accounts).flat();
      const large = { ...description, consent: { ...description.consent, accounts } };
      for (let count = 0; count < 250; count += 1)
        remembered.keep(`hash-${count}`, { sentAt: 0, endsAt: 0, answer: large });
      expect(remembered.size()).to.equal(240);
      expect(remembered.find("hash-9")).to.equal(undefined);
      expect(remembered.find("hash-249")?.answer).to.equal(large);
    });
  });
});
