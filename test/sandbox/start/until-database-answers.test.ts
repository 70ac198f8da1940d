import { createLog } from "@cobs/service-edge/database";
import { expect } from "chai";
import { untilDatabaseAnswers } from "../../../packages/sandbox/src/start/until-database-answers.ts";
import { rejectionOf } from "../../support/rejection.ts";

const log = createLog("test", "error", { write: () => undefined });
const slow = new Error("Connection terminated due to connection timeout");

/** Fails as often as it is told, and then gives how often it was asked. */
function failing(times: number, error: Error): () => Promise<number> {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked <= times) throw error;
    return asked;
  };
}

describe("Work on the sandbox's database", () => {
  it("is repeated while the database is slower than its limits", async () => {
    expect(await untilDatabaseAnswers(failing(2, slow), log)).to.equal(3);
  });

  it("is given up with an explanation when the database stays slow", async () => {
    const refusal = await rejectionOf(untilDatabaseAnswers(failing(99, slow), log, 150));
    expect(refusal).to.include({ name: "SandboxRefusal", code: "database_unavailable", cause: slow });
  });

  it("fails at once for any other reason", async () => {
    const fault = new Error("relation does not exist");
    expect(await rejectionOf(untilDatabaseAnswers(failing(1, fault), log))).to.equal(fault);
  });
});
