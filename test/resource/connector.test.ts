import { configure } from "@cobs/resource";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { configurationFaults } from "../support/configuration-faults.ts";
import { eventually } from "../support/eventually.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { startTraceCollector } from "../support/trace-collector.ts";
import {
  SAMPLE_ACCOUNT,
  SAMPLE_ACCOUNTS,
  SAMPLE_BALANCE,
  SAMPLE_TRANSACTION,
} from "./connector/sample-answers.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
} from "./connector/scripted-core.ts";
import { ACCOUNTS } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { MANY } from "./small-bank.ts";

const LIMIT_MILLISECONDS = 2_000;
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Of the PSU whom tokens are about. */
const ACCOUNTS_OF_MANY = { ...SAMPLE_ACCOUNTS, psuId: MANY };

/** What a core system does, what the log calls it, and when the TPP may come again. */
const OUTCOMES: readonly (readonly [string, Behaviour, string, string])[] = [
  ["is slow", () => undefined, "core_timed_out", "2"],
  ["is dead", (request) => void request.socket.destroy(), "core_unreachable", "2"],
  [
    "is wrong",
    answering({ ...ACCOUNTS_OF_MANY, accounts: [{ id: "secret-of-the-core" }] }),
    "answer_malformed",
    "2",
  ],
  ["answers about another PSU", answering({ ...ACCOUNTS_OF_MANY, psuId: "secret" }), "answer_malformed", "2"],
  [
    "sends half an answer",
    (request, response) => void response.write("{", () => request.socket.destroy()),
    "answer_cut",
    "2",
  ],
  ["floods", (_, response) => void response.end(Buffer.alloc(4_194_304, 0x20)), "answer_too_large", "2"],
  ["fails", (_, response) => void response.writeHead(500).end("secret-of-the-core"), "answer_status", "2"],
  [
    "is overloaded",
    (_, response) => void response.writeHead(429, { "Retry-After": "30" }).end(),
    "answer_throttled",
    "30",
  ],
  ["refuses access", (_, response) => void response.writeHead(403).end(), "answer_refused", "2"],
];

describe("resource in front of a core system", () => {
  let core: ScriptedCore;
  let resource: RunningResource;
  let token: string;
  let connector: Record<string, string>;
  before(async () => {
    core = await startScriptedCore();
    connector = {
      BANK: "http",
      CORE_URL: core.url.href,
      CORE_AUTHORITY_FILE: (await testCertificates()).privateCaFile,
      CORE_TIMEOUT_MILLISECONDS: String(LIMIT_MILLISECONDS),
    };
    resource = await runResource(connector);
    token = resource.giveToken("aisp-pisp", { account_ids: ["a1"] });
  });
  after(async () => {
    await resource.stop();
    await core.die();
  });

  it("serves what the core system answers", async () => {
    core.behave(answering(ACCOUNTS_OF_MANY));
    const answer = await resource.call({ token });
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.body).accounts.map(({ id }: { id: string }) => id)).to.deep.equal(["a1"]);
    expect(await resource.metric('core_calls_total{operation="accounts",outcome="answered"')).to.equal(1);
  });

  it("adds seconds and fractions to times where the core system leaves them out (COBS 3.1.5)", async () => {
    const of = { psuId: MANY, accountId: "a1" };
    core.behave(answering({ ...of, balances: [{ ...SAMPLE_BALANCE, at: "2026-05-02T12:15+02:00" }] }));
    const balance = await resource.call({ token, path: `${ACCOUNTS}/a1/balance` });
    expect(JSON.parse(balance.body).balances[0].date).to.deep.equal({
      dateTime: "2026-05-02T12:15:00.000+02:00",
    });
    const dates = { bookingDate: "2026-05-02T10:15Z", valueDate: "2026-05-02T10:15-01:30" };
    const pending = { ...SAMPLE_TRANSACTION, status: "PDNG", ...dates };
    core.behave(answering({ ...of, totalCount: 1, transactions: [pending] }));
    const history = await resource.call({ token, path: `${ACCOUNTS}/a1/transactions` });
    expect(JSON.parse(history.body).transactions[0]).to.deep.include({
      bookingDate: { date: "2026-05-02T10:15:00.000Z" },
      valueDate: { date: "2026-05-02T10:15:00.000-01:30" },
    });
  });

  it("passes on its own request id and its caller's trace", async () => {
    core.behave(answering(ACCOUNTS_OF_MANY));
    await resource.call({ token, headers: { traceparent: TRACE, "x-request-id": "of-the-tpp" } });
    const headers = core.asked.at(-1)?.headers;
    expect(headers).to.include({ traceparent: TRACE, "x-request-id": resource.lastCall().requestId });
    await resource.call({ token, headers: { traceparent: "00-0-0-01" } });
    expect(core.asked.at(-1)?.headers.traceparent).to.equal(undefined);
  });

  it("does not pass on its caller's tracestate (W3C Trace Context 3.5, 6.2)", async () => {
    core.behave(answering(ACCOUNTS_OF_MANY));
    await resource.call({ token, headers: { traceparent: TRACE, tracestate: "acme-tpp=user:jana" } });
    const headers = core.asked.at(-1)?.headers;
    expect(headers).to.include({ traceparent: TRACE }).and.not.to.have.property("tracestate");
  });

  it("passes on the trace under a span of its own, without tracestate, when it is traced itself", async () => {
    const collector = await startTraceCollector();
    const more = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const traced = await runResource({ ...connector, ...more });
    core.behave(answering(ACCOUNTS_OF_MANY));
    const tracestate = "acme-tpp=user:jana";
    const call = { token: traced.giveToken(), headers: { traceparent: TRACE, tracestate } };
    expect((await traced.call(call)).status).to.equal(200);
    await traced.stop();
    await collector.close();
    const headers = core.asked.at(-1)?.headers;
    expect(headers?.traceparent).to.match(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)/);
    expect(headers).not.to.have.property("tracestate");
  });

  it("sends the core system nothing about the TPP, its token or its certificate", async () => {
    core.behave(answering(ACCOUNTS_OF_MANY));
    await resource.call({ token });
    const names = Object.keys(core.asked.at(-1)?.headers ?? {});
    expect(names).to.have.members(["host", "connection", "accept", "accept-encoding", "x-request-id"]);
  });

  for (const [what, behaviour, code, pause] of OUTCOMES) {
    it(`answers 503 in time when the core system ${what}, with the reason in the log alone: ${code}`, async () => {
      core.behave(answering(ACCOUNTS_OF_MANY));
      await eventually(async () => (await resource.call({ token })).status === 200);
      core.behave(behaviour);
      const waited = startWaiting();
      const answer = await resource.call({ token });
      expect(waited()).to.be.below(LIMIT_MILLISECONDS + 1_500);
      expect(answer.status).to.equal(503);
      expect(answer.headers["retry-after"]).to.equal(pause);
      expect(JSON.parse(answer.body).errors).to.have.length(1);
      expect(answer.body).not.to.match(/core|secret/);
      expect(resource.lastCall()).to.include({ refusal: "unavailable", code, operation: "accounts" });
    });
  }

  it("logs which member names another PSU, and the value of neither", async () => {
    const line = () => resource.lastCall();
    core.behave(answering({ ...ACCOUNTS_OF_MANY, psuId: "secret" }));
    await resource.call({ token });
    expect(line()).to.include({ detail: "psuId is not the one that was asked about (clause 1.6)" });
    expect(JSON.stringify(line())).not.to.match(/secret|[A-Z]{2}\d{20}/);
    core.behave(answering({ accounts: ACCOUNTS_OF_MANY.accounts }));
    expect((await resource.call({ token })).status).to.equal(503);
    expect(line()).to.include({ detail: "psuId is missing (clause 1.6)", operation: "accounts" });
  });

  it("answers 503 to an order while the core system is silent, and enters it once under its key later (PAY-01)", async () => {
    const { iban } = SAMPLE_ACCOUNT;
    const paying = { scope: "pisp", consented_services: ["pisp"], account_ids: [] };
    const body = JSON.stringify({
      paymentIdentification: { instructionIdentification: "silent-1" },
      paymentTypeInformation: { instructionPriority: "INST" },
      amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
      debtorAccount: { identification: { iban } },
      creditorAccount: { identification: { iban: "CZ6508000000192000145399" } },
    });
    const headers = {
      "content-type": "application/json",
      "content-length": String(body.length),
      "idempotency-key": "silent-1",
    };
    const orderToken = resource.giveToken("aisp-pisp", paying);
    const path = "/cobs/2.0/my/payments";
    const pay = () => resource.call({ token: orderToken, method: "POST", path, headers, body });
    core.behave((request) => void request.socket.destroy());
    const failed = await pay();
    expect([failed.status, failed.headers["retry-after"]]).to.deep.equal([503, "2"]);
    expect(resource.lastCall()).to.include({ refusal: "unavailable", code: "core_unreachable" });
    const inspection = { psuId: MANY, iban, accountId: "a1", fee: null, faults: [] };
    core.behave((request, response) =>
      answering(request.url === "/terms" ? SANDBOX_TERMS : inspection)(request, response),
    );
    await eventually(async () => (await pay()).status === 200);
    const [first, again] = [await pay(), await pay()];
    expect(again.body).to.equal(first.body);
  });

  it("stays ready while the core system is down, as not everything needs it", async () => {
    core.behave((_, response) => void response.writeHead(500).end());
    await resource.call({ token });
    const ready = await fetch(`http://127.0.0.1:${resource.ports.operator}/readyz`);
    expect(ready.status).to.equal(200);
  });

  it("makes its own refusals without asking the core system", async () => {
    core.behave((_, response) => void response.writeHead(500).end());
    const asked = core.asked.length;
    expect((await resource.call({})).status).to.equal(401);
    expect((await resource.call({ token, path: `${ACCOUNTS}?page=-1` })).status).to.equal(400);
    expect(core.asked.length).to.equal(asked);
  });

  it("answers auth with 503 and Retry-After as well", async () => {
    core.behave((_, response) => void response.writeHead(500).end());
    const { certificates, askBank } = resource;
    const answer = await askBank("/bank/psus/anna/accounts", { caller: certificates.bank.auth });
    expect([answer.status, answer.headers["retry-after"]]).to.deep.equal([503, "2"]);
    expect(answer.body).not.to.include("core");
  });

  describe("configured for a core system", () => {
    const faultsWith = (changed: Readonly<Record<string, string | undefined>>) =>
      configurationFaults(() => configure({ ...resource.environment, ...changed }));

    it("is accepted in production too, where the sandbox bank is refused", () => {
      const faults = faultsWith({ MODE: "production" }).join("\n");
      expect(faults).not.to.include("BANK=");
      expect(faults).to.match(/sandbox anchors, but MODE is production/);
    });

    it("requires https and everything else that it needs", () => {
      expect(faultsWith({ CORE_URL: "http://core.bank.example" }).join()).to.match(/CORE_URL.*https:/);
      expect(faultsWith({ CORE_URL: undefined }).join()).to.match(/CORE_URL is required/);
      expect(faultsWith({ CORE_AUTHORITY_FILE: undefined }).join()).to.match(
        /CORE_AUTHORITY_FILE is required/,
      );
      for (const wrong of [
        "core.bank.example/v1?key=1",
        "core.bank.example/#a",
        "me@core.bank.example",
        ":a@b.example",
      ])
        expect(faultsWith({ CORE_URL: `https://${wrong}` }), wrong).to.deep.equal([
          "CORE_URL must not have a query, a fragment or credentials",
        ]);
      expect(faultsWith({ CORE_TIMEOUT_MILLISECONDS: "0" }).join()).to.match(/CORE_TIMEOUT_MILLISECONDS/);
    });
  });
});
