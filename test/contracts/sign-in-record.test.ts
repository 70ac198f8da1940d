import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { PsuLogin, SignInOutcome } from "../../packages/auth/src/psu/psu-login.ts";
import {
  RECORDED_REFUSALS_PER_MINUTE,
  recordSignIns,
} from "../../packages/auth/src/psu/record-sign-ins-postgres.ts";
import { movableClock } from "../support/movable-clock.ts";
import { rejectionOf } from "../support/rejection.ts";
import { runOn } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";

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

  /** A login that answers what it is told to. */
  function loginThat(outcome: SignInOutcome, admitted = true): (requestId: string) => Promise<SignInOutcome> {
    const login: PsuLogin = {
      begin: async () => ({}),
      present: async () => ({ page: "credentials" }),
      take: async () => outcome,
      find: async () => undefined,
    };
    const blocks = { admits: async () => admitted };
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
    expect(await loginThat(SIGNED_IN, false)("a")).to.deep.equal({ outcome: "refused", psu: PSU });
    expect((await entries()).map(([action]) => action)).to.deep.equal(["psu.sign_in_refused"]);
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
