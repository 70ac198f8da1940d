import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type PsuId, parseAccountId, parseCurrencyCode, parseIban, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { CoreUnavailable } from "../../packages/resource/src/bank/core-unavailable.ts";
import { eventually } from "../support/eventually.ts";
import { rejectionOf } from "../support/rejection.ts";
import { standStill } from "../support/stand-still.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { type ConnectedBank, connectCore, TEST_LIMIT_MILLISECONDS } from "./connector/connect-core.ts";
import { kitOrderToExecute } from "./connector/kit-order-to-execute.ts";
import { OF_A1, SAMPLE_ACCOUNT, SAMPLE_ACCOUNTS, SAMPLE_BALANCES } from "./connector/sample-answers.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
} from "./connector/scripted-core.ts";

const PSU = parsePsuId("anna");
const OF = { psu: PSU, account: parseAccountId("a1"), currency: undefined };
const PAYER = { id: OF.account, iban: SAMPLE_ACCOUNT.iban, currency: parseCurrencyCode("CZK") };
const ORDER = kitOrderToExecute(PSU, PAYER, parseIban("CZ6508000000192000145399"));
/** Where nothing speaks for a circuit. */
const FAILURES_TO_OPEN = 5;
const AT_ONCE = 8;

let psus = 0;
/** A PSU that nobody has asked about: failures about one alone do not stop questions about others. */
function somebody(): PsuId {
  psus += 1;
  return parsePsuId(`psu-${psus}`);
}

describe("the connector to a failing core system", () => {
  let core: ScriptedCore;
  let connected: ConnectedBank;
  beforeEach(async () => {
    core = await startScriptedCore();
    connected = await connectCore(core.url, { callsAtOnce: AT_ONCE });
  });
  afterEach(async () => {
    await connected.close();
    await core.die();
  });

  const codeNow = async (at = connected, psu = somebody()): Promise<string> => {
    const refusal = await rejectionOf(at.bank.accountsOf(psu));
    return refusal instanceof CoreUnavailable ? refusal.code : String(refusal);
  };
  const answersNow = () =>
    connected.bank.accountsOf(PSU).then(
      () => true,
      () => false,
    );
  /** The label `operation` of those that are open by the metrics. */
  const openCircuits = async (): Promise<readonly string[]> => {
    const lines = (await connected.metrics()).matchAll(
      /^core_circuit_open\{[^}]*operation="([^"]+)"[^}]*\} 1$/gm,
    );
    return [...lines].map(([, operation = ""]) => operation);
  };
  const failUntilLeftAlone = () => eventually(async () => (await codeNow()) === "core_circuit_open");

  it("asks about payments although it fails about many rejected ones that are looked at once more", async () => {
    core.behave((_request, response) => response.writeHead(404).end());
    for (let count = 0; count < 2 * FAILURES_TO_OPEN; count += 1)
      expect(await rejectionOf(connected.bank.progressOf(`rejected-${count}`, "recheck"))).to.include({
        code: "answer_status",
      });
    expect(await openCircuits()).to.deep.equal([]);
    core.behave(answering({ paymentId: "p1", state: "accepted" }));
    expect(await connected.bank.progressOf("p1")).to.deep.equal({ state: "accepted" });
  });

  it("accepts an answer that came in time while this process was busy", async () => {
    core.behave((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(SAMPLE_ACCOUNTS), () => standStill(TEST_LIMIT_MILLISECONDS));
    });
    expect(await connected.bank.accountsOf(PSU)).to.have.length(SAMPLE_ACCOUNTS.accounts.length);
  });

  it("grants a turn that became free in time while this process was busy", async () => {
    // Of the whole time limit a call waits a quarter for its turn: on a busy machine the one before it is over by then.
    const timeoutMilliseconds = 4 * TEST_LIMIT_MILLISECONDS;
    const single = await connectCore(core.url, { callsAtOnce: 1, timeoutMilliseconds });
    core.behave(answering(SAMPLE_ACCOUNTS));
    await single.bank.accountsOf(PSU);
    core.behave((request, response) => {
      core.behave(answering(SAMPLE_ACCOUNTS));
      answering(SAMPLE_ACCOUNTS)(request, response);
      response.once("finish", () => standStill(timeoutMilliseconds / 3));
    });
    const answers = await Promise.all([single.bank.accountsOf(PSU), single.bank.accountsOf(PSU)]);
    await single.close();
    expect(answers.map((accounts) => accounts.length)).to.deep.equal([1, 1]);
  });

  it("stops asking after a few failures, fails calls at once, and logs it", async () => {
    core.behave((_, response) => void response.writeHead(500).end());
    await failUntilLeftAlone();
    const asked = core.asked.length;
    const waited = startWaiting();
    const codes: string[] = [];
    for (let call = 0; call < 100; call += 1) codes.push(await codeNow());
    expect(waited()).to.be.below(900);
    // On a busy machine the pause before a try is over within these, and the one after it, which is longer.
    const tries = core.asked.length - asked;
    expect(tries).to.be.below(10);
    expect(codes.filter((code) => code === "core_circuit_open")).to.have.length(100 - tries);
    expect(await openCircuits()).to.deep.equal(["accounts"]);
    expect(connected.logLines.map(({ msg }) => msg)).to.include("the core system fails; its circuit is open");
  });

  it("recovers by itself when a dead core system is back", async () => {
    core.behave(answering(SAMPLE_ACCOUNTS));
    expect(await answersNow()).to.equal(true);
    await core.die();
    await failUntilLeftAlone();
    expect(await openCircuits()).to.deep.equal(["all"]);
    await core.rise();
    await eventually(answersNow);
    expect(await openCircuits()).to.deep.equal([]);
  });

  describe("of which only transactions are too slow", () => {
    const deep = { ...OF, from: new Date(0), before: undefined, sort: [], page: { page: 9, size: 100 } };
    const slowOnes = (psu = somebody()) =>
      connected.bank.listTransactions({ ...deep, psu }).then(
        () => "answered",
        (error: unknown) => (error instanceof CoreUnavailable ? error.code : String(error)),
      );
    /** A call is given up before the circuit knows of it. */
    const slowUntilLeftAlone = () => eventually(async () => (await slowOnes()) === "core_circuit_open");
    /** What is answered in the end: a busy machine may take longer for one than the limit. */
    async function answerTo<Answer>(ask: () => Promise<Answer>, left = 20): Promise<Answer> {
      try {
        return await ask();
      } catch (error) {
        const isLate = error instanceof CoreUnavailable && error.code === "core_timed_out";
        if (!isLate || left === 0) throw error;
        return answerTo(ask, left - 1);
      }
    }
    /** Balances and payments of somebody else. */
    const others = async () => {
      const { bank } = connected;
      const { balances } = SAMPLE_BALANCES;
      expect(await answerTo(() => bank.balancesOf(OF))).to.have.length(balances.length);
      const { accounts } = SAMPLE_ACCOUNTS;
      expect(await answerTo(() => bank.accountsOf(PSU))).to.have.length(accounts.length);
      expect(await answerTo(() => bank.acceptOrder(ORDER))).to.deep.equal({ outcome: "accepted" });
      expect(await answerTo(() => bank.progressOf(ORDER.paymentId))).to.deep.equal({ state: "accepted" });
    };
    beforeEach(() => core.behave(slowAtTransactions));

    it("stops asking for them, while balances and payments go on", async () => {
      let over = false;
      const slow = Promise.all(Array.from({ length: FAILURES_TO_OPEN }, () => slowOnes())).finally(() => {
        over = true;
      });
      for (let round = 0; round === 0 || !over; round += 1) await others();
      expect(await slow).to.deep.equal(Array(FAILURES_TO_OPEN).fill("core_timed_out"));
      await slowUntilLeftAlone();
      expect(await openCircuits()).to.deep.equal(["transactions"]);
      for (let round = 0; round < 10; round += 1) await others();
    });

    it("resumes asking for them by itself when they are fast again", async () => {
      await Promise.all(Array.from({ length: FAILURES_TO_OPEN }, () => slowOnes()));
      await slowUntilLeftAlone();
      expect(await openCircuits()).to.deep.equal(["transactions"]);
      core.behave(answering({ ...OF_A1, totalCount: 0, transactions: [] }));
      // That of a PSU of whom none has failed.
      await eventually(async () => (await slowOnes(PSU)) === "answered");
      expect(await openCircuits()).to.deep.equal([]);
    });

    it("recovers all else after an outage, however often transactions are asked for", async () => {
      await core.die();
      await failUntilLeftAlone();
      await core.rise();
      let asking = true;
      const asked = (async () => {
        while (asking) await slowOnes().then(() => delay(5));
      })();
      try {
        await eventually(answersNow);
        await others();
      } finally {
        asking = false;
        await asked;
      }
    });
  });

  it("goes on asking about other PSUs while it is never answered about one", async () => {
    const hanging = parsePsuId("hanging");
    core.behave((request, response) => {
      if (request.url?.includes(hanging) !== true) answering(SAMPLE_ACCOUNTS)(request, response);
    });
    let over = false;
    const codes: string[] = [];
    const askingInVain = Array.from({ length: AT_ONCE / 2 }, async () => {
      while (!over) {
        codes.push(await codeNow(connected, hanging));
        await delay(5);
      }
    });
    // Longer than five of these questions take, and than the pause after them: on a busy machine until these have come.
    const end = performance.now() + 4 * TEST_LIMIT_MILLISECONDS;
    try {
      await eventually(async () => {
        expect(await connected.bank.accountsOf(PSU)).to.have.length(SAMPLE_ACCOUNTS.accounts.length);
        return performance.now() > end && codes.includes("core_circuit_open");
      });
    } finally {
      over = true;
      await Promise.all(askingInVain);
    }
    expect(codes).to.include.members(["core_timed_out", "core_circuit_open"]);
    expect(await openCircuits()).to.deep.equal([]);
  });

  it("sends a single call to find out whether the core system is back", async () => {
    core.behave((_, response) => void response.writeHead(500).end());
    await failUntilLeftAlone();
    const asked = core.asked.length;
    const tried = async () => {
      await Promise.all(Array.from({ length: 20 }, () => codeNow()));
      return core.asked.length > asked;
    };
    await eventually(tried);
    expect(core.asked.length - asked).to.equal(1);
  });

  it("keeps asking when single answers are wrong, as one bad account must not block all", async () => {
    core.behave(answering({ accounts: "none" }));
    // Of so many calls a busy machine could keep one waiting for longer than the others may take.
    const patient = await connectCore(core.url, { timeoutMilliseconds: 20_000 });
    for (let call = 0; call < 50; call += 1) expect(await codeNow(patient)).to.equal("answer_malformed");
    core.behave(answering(SAMPLE_ACCOUNTS));
    const accounts = await patient.bank.accountsOf(PSU).finally(() => patient.close());
    expect(accounts).to.have.length(SAMPLE_ACCOUNTS.accounts.length);
  });

  it("closes an idle connection itself, as one dropped on the way may go unnoticed", async () => {
    core.behave(answering(SAMPLE_ACCOUNTS));
    expect(await answersNow()).to.equal(true);
    expect(core.openSockets()).to.equal(1);
    await eventually(() => core.openSockets() === 0);
  });

  it("lets no call wait past the limit, and never opens more connections than allowed", async () => {
    let most = 0;
    core.behave(() => {
      most = Math.max(most, core.openSockets());
    });
    const waited = startWaiting();
    const codes = await Promise.all(Array.from({ length: 200 }, () => codeNow()));
    expect(waited()).to.be.below(2 * TEST_LIMIT_MILLISECONDS);
    expect(most).to.be.at.most(AT_ONCE);
    const count = (code: string) => codes.filter((each) => each === code).length;
    expect(count("core_timed_out")).to.equal(AT_ONCE);
    expect(count("core_busy")).to.equal(200 - AT_ONCE);
    expect(await connected.metrics()).to.match(/core_calls_waiting\{[^}]*\} 0/);
    await eventually(() => core.openSockets() === 0);
  });

  it("abandons a connection over which an answer drips for ever", async () => {
    core.behave((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const drops = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drops));
    });
    expect(await codeNow()).to.equal("core_timed_out");
    await eventually(() => core.openSockets() === 0);
  });

  it("lets as many calls wait as the time limit permits", async () => {
    core.behave((request, response) => {
      setTimeout(() => answering(SAMPLE_ACCOUNTS)(request, response), 50);
    });
    const patient = await connectCore(core.url, { callsAtOnce: AT_ONCE, timeoutMilliseconds: 20_000 });
    const calls = Array.from({ length: AT_ONCE * 3 }, () => patient.bank.accountsOf(PSU));
    const answers = await Promise.all(calls).finally(() => patient.close());
    expect(answers).to.have.lengthOf(AT_ONCE * 3);
  });

  it("refuses at once any call beyond four waiting for each that may be under way", async () => {
    core.behave(() => undefined);
    // A quarter of the limit is how long one waits that is not refused at once.
    const timeoutMilliseconds = 60_000;
    const single = await connectCore(core.url, { callsAtOnce: 1, timeoutMilliseconds });
    const waited = startWaiting();
    const calls = Array.from({ length: 6 }, async (_, place) => [place, await codeNow(single)]);
    const first = await Promise.race(calls);
    const milliseconds = waited();
    await single.close();
    await Promise.all(calls);
    expect(first).to.deep.equal([5, "core_busy"]);
    expect(milliseconds).to.be.below(timeoutMilliseconds / 8);
  });

  it("neither grows in memory nor keeps connections over hundreds of bad answers", async () => {
    const collect = garbageCollector();
    const wave = Buffer.alloc(65_536, 0x20);
    core.behave((request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const turn = core.asked.length;
      if (turn % 8 === 0) response.write("{", () => request.socket.destroy());
      else if (turn % 8 === 1) for (let part = 0; part < 40; part += 1) response.write(wave);
      else response.end("{");
    });
    const patient = await connectCore(core.url, { callsAtOnce: AT_ONCE, timeoutMilliseconds: 20_000 });
    const round = () => Promise.all(Array.from({ length: AT_ONCE }, () => codeNow(patient)));
    for (let times = 0; times < 4; times += 1) await round();
    const before = collect();
    const codes = new Set<string>();
    for (let times = 0; times < 40; times += 1) for (const code of await round()) codes.add(code);
    expect([...codes]).to.have.members(["answer_too_large", "answer_cut", "answer_malformed"]);
    expect(collect() - before).to.be.below(5_242_880);
    expect(core.openSockets()).to.be.at.most(AT_ONCE);
    await patient.close();
  }).timeout(400_000);
});

/** Never answers a question for transactions, and every other as the contract wants it. */
const slowAtTransactions: Behaviour = (request, response) => {
  const { method, url = "" } = request;
  if (url.includes("/transactions")) return;
  const { paymentId } = ORDER;
  const ofOrder = method === "PUT" ? { paymentId, outcome: "accepted" } : { paymentId, state: "accepted" };
  const ofAccounts = url.endsWith("/balances") ? SAMPLE_BALANCES : SAMPLE_ACCOUNTS;
  answering(url.startsWith("/orders/") ? ofOrder : ofAccounts)(request, response);
};

/** Collects what nobody holds any more, and gives what is left in octets. */
function garbageCollector(): () => number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  return () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
}
