import { createLog } from "@cobs/service-edge";
import { expect } from "chai";
import { endSilentProcesses } from "../../../../packages/service-edge/src/lifecycle/processes/end-silent-processes.ts";
import { eventually } from "../../../support/eventually.ts";

const log = createLog("test", "fatal");

/** A process that answers what it is told to, and notes after how many questions it was killed. */
function processThat(answers: (asked: number) => boolean | undefined, isReady = true) {
  const seen = { asked: 0, killedAfter: [] as number[] };
  const ask = async () => {
    seen.asked += 1;
    return answers(seen.asked);
  };
  const kill = () => void seen.killedAfter.push(seen.asked);
  return { number: 1, pid: isReady ? 4_711 : 4_712, isReady, ask, kill, seen };
}

/** Watches a process until it was asked so often. */
async function watch(process: ReturnType<typeof processThat>, times: number) {
  const { seen } = process;
  const watching = endSilentProcesses(() => [process], log, 1);
  await eventually(async () => seen.asked >= times);
  await watching.stop();
  return seen;
}

describe("Unresponsive processes", () => {
  it("are killed after six unanswered rounds in a row", async () => {
    const { killedAfter } = await watch(
      processThat(() => undefined),
      10,
    );
    expect(killedAfter[0]).to.equal(6);
  });

  it("survive when they answer once in six rounds", async () => {
    const seen = await watch(
      processThat((asked) => (asked % 6 === 0 ? true : undefined)),
      30,
    );
    expect(seen.killedAfter).to.deep.equal([]);
  });

  it("are not asked before they are ready, as a start may take its time", async () => {
    const starting = processThat(() => undefined, false);
    const answering = processThat(() => true);
    const watching = endSilentProcesses(() => [starting, answering], log, 1);
    await eventually(async () => answering.seen.asked >= 10);
    await watching.stop();
    expect(starting.seen).to.deep.equal({ asked: 0, killedAfter: [] });
  });
});
