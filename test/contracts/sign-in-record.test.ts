import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { PsuLogin, SignInOutcome } from "../../packages/auth/src/psu/psu-login.ts";
import {
  type RefusalRecord,
  startRecordingRefusals,
} from "../../packages/auth/src/psu/record-refusals-postgres.ts";
import { recordSignIns } from "../../packages/auth/src/psu/record-sign-ins-postgres.ts";
import { RECORDED_PER_MINUTE } from "../../packages/auth/src/psu/refusal-bound.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { runOn } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";
import { operatorAct } from "./test-acts.ts";

const PSU = parsePsuId("psu-jana");
const SIGNED_IN: SignInOutcome = { outcome: "signed-in", psu: PSU, methods: ["password", "totp"] };
const ANSWER = { kind: "form", fields: { username: ["jana"], password: ["a password"] } } as const;

describe("Record of sign-ins", () => {
  const clock = movableClock();
  let databases: readonly [Database, Database];
  let refusals: RefusalRecord;
  /** One round of the job that writes down what was counted. */
  let count: () => Promise<unknown>;
  beforeEach(async () => {
    databases = await twoProcesses();
    refusals = startRecordingRefusals({
      database: databases[0],
      clock,
      log: readableLog().log,
      again: (round) => {
        count = () => round(new AbortController().signal);
        return { stop: async () => {} };
      },
    });
  });
  afterEach(() => Promise.all(databases.map((each) => each.close())));

  const loginThat = (outcome: SignInOutcome) => loginBy(() => outcome);

  /** A login that answers each call what it is told to. */
  function loginBy(
    outcomeOf: (requestId: string) => SignInOutcome,
  ): (requestId: string) => Promise<SignInOutcome> {
    const login: PsuLogin = {
      asks: "here",
      begin: async () => ({}),
      wrote: () => true,
      present: async () => ({ page: "credentials" }),
      take: async (_memory, _answer, { requestId }) => outcomeOf(requestId),
      find: async () => undefined,
    };
    const blocks = createPsuBlocks(databases[0], clock);
    const recorded = recordSignIns(login, { database: databases[0], blocks, refusals });
    const language = "cs";
    return (requestId) =>
      recorded.take({}, ANSWER, { now: clock.now(), requestId, language, device: undefined });
  }

  const entries = async () =>
    (
      await runOn<{ action: string; actor: string; subject: string; request_id: string; details: string }>(
        databases[0],
        "SELECT action, actor, subject, request_id, details FROM audit_entry ORDER BY id",
      )
    ).map(({ action, actor, subject, request_id: requestId, details }) => {
      return [action, actor, subject, requestId, JSON.parse(details)];
    });

  it("has who signed in, with which proofs, in which call", async () => {
    expect(await loginThat(SIGNED_IN)("a")).to.equal(SIGNED_IN);
    expect(await entries()).to.deep.equal([
      ["psu.signed_in", PSU, PSU, "a", { methods: ["password", "totp"] }],
    ]);
  });

  it("has no sign-in of anybody who has proven something but has another step to take", async () => {
    const next: SignInOutcome = { outcome: "next", memory: {}, psu: PSU };
    expect(await loginThat(next)("a")).to.equal(next);
    expect(await entries()).to.deep.equal([]);
  });

  it("has who was refused or held off, as far as known, and nothing of what was typed", async () => {
    const until = new Date();
    await loginThat({ outcome: "refused", psu: PSU })("a");
    await loginThat({ outcome: "blocked", until })("b");
    await loginThat({ outcome: "incomplete", missing: ["password"] })("c");
    expect(await entries()).to.deep.equal([
      ["psu.sign_in_refused", "sign-in", PSU, "a", { unrecordedBefore: 0 }],
      ["psu.sign_in_blocked", "sign-in", "unknown", "b", { unrecordedBefore: 0 }],
    ]);
  });

  it("has a PSU whom the bank has blocked as refused", async () => {
    const blocks = createPsuBlocks(databases[1], clock);
    await blocks.block({ psu: PSU, reason: "fraud" }, operatorAct("jana"));
    const next: SignInOutcome = { outcome: "next", memory: {}, psu: PSU };
    for (const proven of [SIGNED_IN, next])
      expect(await loginThat(proven)("a")).to.deep.equal({ outcome: "refused", psu: PSU });
    expect((await entries()).map(([action]) => action).slice(1)).to.deep.equal(
      Array(2).fill("psu.sign_in_refused"),
    );
  });

  it("has a proof from before a block as refused, also after the release", async () => {
    const blocks = createPsuBlocks(databases[1], clock);
    const authenticatedAt = clock.now();
    clock.advance(1_000);
    await blocks.block({ psu: PSU, reason: "lost phone" }, operatorAct("jana"));
    clock.advance(1_000);
    await blocks.release(PSU, operatorAct("jana"));
    clock.advance(1_000);
    const refused = { outcome: "refused", psu: PSU };
    expect(await loginThat({ ...SIGNED_IN, authenticatedAt })("a")).to.deep.equal(refused);
    expect(await loginThat(SIGNED_IN)("b")).to.equal(SIGNED_IN);
  });

  it("tells admitted from blocked PSUs when many sign in at once", async () => {
    const blocked = parsePsuId("psu-blocked");
    await createPsuBlocks(databases[1], clock).block({ psu: blocked, reason: "fraud" }, operatorAct("jana"));
    const isBlocked = (requestId: string) => Number(requestId) % 2 === 1;
    const take = loginBy((requestId) =>
      isBlocked(requestId) ? { outcome: "signed-in", psu: blocked, methods: ["passkey"] } : SIGNED_IN,
    );
    const calls = Array.from({ length: 50 }, (_, index) => String(index));
    const taken = await Promise.all(calls.map(take));
    expect(taken.map(({ outcome }) => outcome === "refused")).to.deep.equal(calls.map(isBlocked));
    const signedIn = (await entries()).filter(([action]) => action === "psu.signed_in");
    expect(signedIn.map(([, actor]) => actor)).to.deep.equal(Array(25).fill(PSU));
  });

  const many = (attempts: number, refuse: (requestId: string) => Promise<unknown>) =>
    Promise.all(Array.from({ length: attempts }, (_, index) => refuse(String(index))));
  const blockedPsu = () => loginThat({ outcome: "blocked", until: new Date(), psu: PSU });

  it("is not filled by a flood of refusals of unknown people: the next entry has their number", async () => {
    const refuse = loginThat({ outcome: "refused" });
    await many(200, refuse);
    expect(await entries()).to.have.length(RECORDED_PER_MINUTE.unknown);
    clock.advance(60_000);
    await refuse("later");
    expect((await entries()).at(-1)).to.deep.equal([
      "psu.sign_in_refused",
      "sign-in",
      "unknown",
      "later",
      { unrecordedBefore: 200 - RECORDED_PER_MINUTE.unknown },
    ]);
  });

  it("has every failure of a PSU in any flood of others, also when fifty are tried at once", async () => {
    await many(200, loginThat({ outcome: "refused" }));
    const take = loginBy((requestId) => ({ outcome: "refused", psu: parsePsuId(`psu-${requestId}`) }));
    await many(50, take);
    const told = (await entries()).filter(([, , subject]) => subject !== "unknown");
    expect(new Set(told.map(([, , subject, id]) => `${subject} ${id}`)).size).to.equal(50);
    for (const [, , , , details] of told) expect(details).to.deep.equal({ unrecordedBefore: 0 });
  });

  it("has the first of fifty tries at once for a blocked PSU, then their number when the minute is over", async () => {
    await many(50, blockedPsu());
    await count();
    expect((await entries()).map(([action]) => action)).to.deep.equal(
      Array(RECORDED_PER_MINUTE.blocked).fill("psu.sign_in_blocked"),
    );
    clock.advance(60_000);
    await count();
    await count();
    expect((await entries()).slice(RECORDED_PER_MINUTE.blocked)).to.deep.equal([
      [
        ...["psu.sign_ins_unrecorded", "sign-in", PSU, null],
        { unrecordedBefore: 50 - RECORDED_PER_MINUTE.blocked },
      ],
    ]);
  });

  it("has a PSU's failure after any number of tries during a block, and their number with it", async () => {
    await many(50, blockedPsu());
    await loginThat({ outcome: "refused", psu: PSU })("failed");
    const details = { unrecordedBefore: 50 - RECORDED_PER_MINUTE.blocked };
    expect((await entries()).at(-1)).to.deep.equal([
      ...["psu.sign_in_refused", "sign-in", PSU, "failed", details],
    ]);
  });

  it("has what was counted when the process stops", async () => {
    await many(RECORDED_PER_MINUTE.blocked + 7, blockedPsu());
    await many(RECORDED_PER_MINUTE.unknown + 3, loginThat({ outcome: "refused" }));
    await refusals.stop();
    expect((await entries()).slice(-2).map(([, , subject, , details]) => [subject, details])).to.deep.equal([
      [PSU, { unrecordedBefore: 7 }],
      ["unknown", { unrecordedBefore: 3 }],
    ]);
  });

  it("loses no number that could not be written", async () => {
    await many(RECORDED_PER_MINUTE.blocked + 7, blockedPsu());
    clock.advance(60_000);
    await runOn(databases[0], "REVOKE INSERT ON audit_entry FROM current_user");
    expect(await rejectionOf(count())).to.include({ code: "42501" });
    expect(await rejectionOf(blockedPsu()("failed"))).to.include({ code: "42501" });
    await runOn(databases[0], "GRANT INSERT ON audit_entry TO current_user");
    await blockedPsu()("later");
    expect((await entries()).at(-1)?.slice(3)).to.deep.equal(["later", { unrecordedBefore: 8 }]);
  });

  it("ends no attempt that is only counted before the database has answered (RTS Article 4(3)(a))", async () => {
    await many(RECORDED_PER_MINUTE.unknown, loginThat({ outcome: "refused" }));
    await runOn(databases[0], "REVOKE INSERT ON audit_entry FROM current_user");
    expect(await rejectionOf(loginThat({ outcome: "refused" })("a"))).to.include({ code: "42501" });
  });

  it("admits nobody whose sign-in cannot be recorded", async () => {
    await runOn(databases[0], "REVOKE INSERT ON audit_entry FROM current_user");
    expect(await rejectionOf(loginThat(SIGNED_IN)("a"))).to.include({ code: "42501" });
  });
});
