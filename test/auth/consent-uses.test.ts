import type { Database, Repeat, Round } from "@cobs/service-edge";
import { expect } from "chai";
import { type ConsentId, createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { startNotingUses } from "../../packages/auth/src/consent/note-uses.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";

/** What notes uses in a database that answers at once, a round of it, and what became of the uses. */
function notingUses({ refusal }: { readonly refusal?: Error } = {}) {
  const batches: number[] = [];
  let round: Round | undefined;
  let lost = 0;
  const database = {
    run: async ({ values: [ids] }: { readonly values: readonly unknown[] }) => {
      if (refusal !== undefined) throw refusal;
      batches.push([ids].flat().length);
      return [];
    },
  } as unknown as Database;
  const again: Repeat = (first) => {
    round = first;
    return { stop: async () => {} };
  };
  const onLost = (uses: number) => {
    lost += uses;
  };
  const uses = startNotingUses({ database, clock: movableClock(), log: readableLog().log, onLost, again });
  const note = (count: number): readonly ConsentId[] => {
    const ids = Array.from({ length: count }, createConsentId);
    for (const id of ids) uses.note(id);
    return ids;
  };
  return { uses, note, batches, lost: () => lost, round: () => round?.(new AbortController().signal) };
}

describe("Noted uses of consents", () => {
  it("are written without a pause between full batches, however many come in a second", async () => {
    const { note, batches, round } = notingUses();
    note(1_200);
    expect([await round(), await round(), await round()]).to.deep.equal([0, 1_000, 1_000]);
    expect(batches).to.deep.equal([500, 500, 200]);
  });

  it("are counted as lost when there is no room for them, and noted at the next use", async () => {
    const { uses, note, lost, batches } = notingUses();
    note(10_000);
    expect(lost()).to.equal(0);
    const [id] = note(1);
    expect(lost()).to.equal(1);
    await uses.stop();
    if (id !== undefined) uses.note(id);
    await uses.stop();
    expect([lost(), batches.at(-1)]).to.deep.equal([1, 1]);
  });

  it("are counted as lost when the database refuses them, and not while it is away", async () => {
    const refused = notingUses({ refusal: new Error("permission denied for table consent") });
    refused.note(3);
    await refused.uses.stop();
    const away = notingUses({ refusal: new Error("Connection terminated unexpectedly") });
    away.note(3);
    const failed = await Promise.resolve(away.round()).catch((error: Error) => error.message);
    expect([refused.lost(), failed, away.lost()]).to.deep.equal([3, "Connection terminated unexpectedly", 0]);
  });
});
