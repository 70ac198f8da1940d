import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";
import { CommandRefusal } from "../../../packages/auth/src/operator/command-refusal.ts";
import {
  END_LIMIT_MILLISECONDS,
  type OperatorCall,
} from "../../../packages/auth/src/operator/operator-client.ts";
import { rejectionOf } from "../../support/rejection.ts";

const ORDERS = [
  "applications end a --reason r",
  "audit archive --sequence 1 --hash h",
  "consents end c --reason r",
  "psu block p --reason r",
  "stop-list block --tpp o --reason r",
  "tokens revoke --tpp o --reason r",
];

/** An answer of the export. */
const page = (lines: readonly string[], from: number, last: number, head: number) => ({
  lines,
  from: { sequence: from },
  last: { sequence: last },
  head: { sequence: head },
});

/** What the command asks, and prints, where auth answers so, one after the other. */
async function runWith(order: string, answers: readonly object[], printed: string[] = []) {
  const calls: OperatorCall[] = [];
  const auth = async (call: OperatorCall) => {
    calls.push(call);
    return JSON.stringify(answers[calls.length - 1] ?? expect.fail("it asks once more"));
  };
  const terminal = { write: async (line: string) => void printed.push(line), tell: () => {} };
  const program = createOperatorCommandLine(async (command) => {
    const result = await command({ auth, resource: undefined }, terminal);
    if (result !== undefined) printed.push(result.json);
  }, {});
  await program.parseAsync(order.split(" "), { from: "user" });
  return { calls, printed };
}

describe("An order that may end very much", () => {
  for (const order of ORDERS)
    it(`has the long time limit: ${order}`, async () => {
      const { calls } = await runWith(order, [{ complete: true }]);
      expect(calls.map((call) => call.timeoutMilliseconds)).to.deep.equal([END_LIMIT_MILLISECONDS]);
    });
});

describe("An order that needs several calls", () => {
  it("to end tokens continues where it left off, and tells how many ended in all", async () => {
    const { calls, printed } = await runWith("tokens revoke --tpp o --reason r", [
      { accessTokens: 10_000, codes: 3, complete: false, next: "one" },
      { accessTokens: 9_000, codes: 0, complete: false, next: "two" },
      { accessTokens: 1, codes: 2, complete: true },
    ]);
    expect(calls.map(({ body }) => body)).to.deep.equal([
      { tpp: "o", reason: "r", after: undefined },
      { tpp: "o", reason: "r", after: "one" },
      { tpp: "o", reason: "r", after: "two" },
    ]);
    expect(printed).to.deep.equal(['{"accessTokens":19001,"codes":5,"complete":true}']);
  });

  it("to export the audit log ends at the entry that was the last when it began", async () => {
    const [thousand, two] = [Array.from({ length: 1_000 }, String), ["a", "b"]];
    const { calls, printed } = await runWith("audit export --after 5", [
      page(thousand, 5, 1_005, 1_007),
      page(two, 1_005, 1_007, 1_010),
    ]);
    expect(calls.map(({ path }) => path)).to.deep.equal([
      "/operator/audit/export?after=5&limit=1000",
      "/operator/audit/export?after=1005&limit=2",
    ]);
    expect(printed).to.deep.equal([...thousand, ...two]);
    const archivable = await runWith("audit export --archivable", [
      { after: 3, through: 1_005 },
      page(thousand, 3, 1_003, 9_000),
      page(two, 1_003, 1_005, 9_001),
    ]);
    expect(archivable.calls.map(({ path }) => path)).to.deep.equal([
      "/operator/audit/archivable",
      "/operator/audit/export?after=3&limit=1000",
      "/operator/audit/export?after=1003&limit=2",
    ]);
    expect(archivable.printed).to.deep.equal([...thousand, ...two]);
  });

  const GAPS = {
    "is cut off before the head": { pages: [page(["a"], 5, 6, 9), page([], 6, 6, 9)], missing: 3 },
    "gives nothing": { pages: [page([], 5, 5, 7)], missing: 2 },
    "lacks some before its end": { pages: [page(["a", "b"], 5, 9, 9)], missing: 2 },
  } as const;
  for (const [what, { pages, missing }] of Object.entries(GAPS))
    it(`to export an audit log that ${what} fails as broken, after printing all that is there`, async () => {
      const printed: string[] = [];
      const error = await rejectionOf(runWith("audit export --after 5", pages, printed));
      expect(error)
        .to.be.instanceOf(CommandRefusal)
        .and.include({
          code: "broken",
          message: `The export is incomplete; missing entries: ${missing}.`,
        });
      expect(printed).to.deep.equal(pages.flatMap(({ lines }) => lines));
    });

  it("to export archivable entries prints no others, even after a gap", async () => {
    const lines = [4, 6, 7].map((sequence) => JSON.stringify({ sequence }));
    const printed: string[] = [];
    const pages = [{ after: 3, through: 6 }, page(lines, 3, 7, 9)];
    const error = await rejectionOf(runWith("audit export --archivable", pages, printed));
    expect(printed).to.deep.equal(lines.slice(0, 2));
    expect(error).to.include({ message: "The export is incomplete; missing entries: 1." });
  });
});
