import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createPsuBlocks } from "../../packages/auth/src/psu/psu-blocks-postgres.ts";
import type { PsuLogin, SignInOutcome } from "../../packages/auth/src/psu/psu-login.ts";
import {
  RECORDED_REFUSALS_PER_MINUTE,
  recordSignIns,
} from "../../packages/auth/src/psu/record-sign-ins-postgres.ts";
import { movableClock } from "../support/movable-clock.ts";
import { rejectionOf } from "../support/rejection.ts";
import { runOn } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";
import { operatorAct } from "./test-acts.ts";

const PSU = parsePsuId("psu-jana");
const SIGNED_IN: SignInOutcome = { outcome: "signed-in", psu: PSU, methods: ["password", "totp"] };
const ANSWER = { kind: "form", fields: { username: ["jana"], password: ["a password"] } } as const;

describe("The record of sign-ins", () => {
  const clock = movableClock();
  let databases: readonly [Database, Database];
  beforeEach(async () => {
    databases = await twoProcesses();
  });
  afterEach(() => Promise.all(databases.map((each) => each.close())));

  const loginThat = (outcome: SignInOutcome) => loginBy(() => outcome);

  /** A login that answers each call what it is told to. */
  function loginBy(
    outcomeOf: (requestId: string) => SignInOutcome,
  ): (requestId: string) => Promise<SignInOutcome> {
    const login: PsuLogin = {
      begin: async () => ({}),
      present: async () => ({ page: "credentials" }),
      take: async (_memory, _answer, { requestId }) => outcomeOf(requestId),
      find: async () => undefined,
    };
    const blocks = createPsuBlocks(databases[0], clock);
    const recorded = recordSignIns(login, { database: databases[0], blocks, clock });
    return (requestId) => recorded.take({}, ANSWER, { now: clock.now(), requestId, device: undefined });
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

  it("has somebody whom the bank has blocked as refused", async () => {
    const blocks = createPsuBlocks(databases[1], clock);
    await blocks.block({ psu: PSU, reason: "fraud" }, operatorAct("jana"));
    const next: SignInOutcome = { outcome: "next", memory: {}, psu: PSU };
    for (const proven of [SIGNED_IN, next])
      expect(await loginThat(proven)("a")).to.deep.equal({ outcome: "refused", psu: PSU });
    expect((await entries()).map(([action]) => action).slice(1)).to.deep.equal(
      Array(2).fill("psu.sign_in_refused"),
    );
  });

  it("tells those of many who sign in at once from those who are blocked", async () => {
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

  it("is not filled by a flood of refusals, whose number the next entry has", async () => {
    const refuse = loginThat({ outcome: "refused" });
    await Promise.all(Array.from({ length: 200 }, (_, index) => refuse(String(index))));
    expect(await entries()).to.have.length(RECORDED_REFUSALS_PER_MINUTE);
    clock.advance(60_000);
    await refuse("later");
    expect((await entries()).at(-1)).to.deep.equal([
      "psu.sign_in_refused",
      "sign-in",
      "unknown",
      "later",
      { unrecordedBefore: 200 - RECORDED_REFUSALS_PER_MINUTE },
    ]);
  });

  it("lets nobody in whose sign-in it cannot have", async () => {
    await runOn(databases[0], "REVOKE INSERT ON audit_entry FROM current_user");
    expect(await rejectionOf(loginThat(SIGNED_IN)("a"))).to.include({ code: "42501" });
  });
});
