import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { CARD_CHECK, checksAt, questionAbout } from "../conformance/balance-check.ts";
import { openPayingTpp, PAYMENTS } from "../conformance/payments.ts";
import { ACCOUNTS, type TestCall } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, FOREIGN, HISTORY, MULTI_CURRENCY, RICH } from "../resource/small-movements.ts";
import { HOUR, runTwoResources } from "../resource/two-resources.ts";
import { eventually } from "../support/eventually.ts";
import { faultsBySchema, membersOf, namesOf, observe, shownRefusalsOf } from "./check-answer.ts";
import { OPERATIONS } from "./interface-document.ts";
import { observedResource } from "./observed-servers.ts";
import {
  approvePayment,
  askForUnknown,
  checkBalances,
  enterPayments,
  enterWrongly,
  spoilAccounts,
  stepWrongly,
} from "./payment-calls.ts";
import { runWithoutPayments } from "./resource-without-payments.ts";
import { UNTOLD_BY_RESOURCE } from "./untold-members.ts";

/** Table: what is described and reached by no call, and why. */
const UNREACHED: readonly (readonly [which: RegExp, reason: string])[] = [
  [/ 500( |$)/, "only a fault of the server itself gives it"],
];
/** Table: what is shown as an example and told to no call, and why. */
const UNSHOWN: readonly (readonly [which: RegExp, reason: string])[] = [
  [/ 500 /, "only a fault of the server itself gives it"],
  [/ PARAMETER_INVALID at sort: more than LIMIT transactions /, "it takes ten thousand transactions"],
];
const PLACES = OPERATIONS.filter(({ path }) => /^\/cobs\/2\.0\/(my|payments|accounts|openapi)/.test(path));
const RESOURCES = PLACES.filter(({ path }) => !path.endsWith("openapi.json"));
const OF_ALL = { scope: "aisp pisp", consented_services: ["aisp", "pisp"] };
const EMPTY_BODY = { body: "{}", headers: { "content-type": "application/json", "content-length": "2" } };
const BALANCE = `${ACCOUNTS}/${HISTORY}/balance`;
const TRANSACTIONS = `${ACCOUNTS}/${HISTORY}/transactions`;

describe("the resource server, compared with its description", function conformance() {
  this.timeout(120_000);
  const observation = observe();
  let resource: RunningResource;
  before(async () => {
    resource = observedResource(await runResource({}, undefined, { tunnelled: true }), observation);
  });
  after(() => resource?.stop());

  /** Makes calls, of which each answer has to be as described. */
  const conforms = (name: string, call: () => Promise<void>) =>
    it(name, async () => {
      await call();
      expect(observation.takeFaults()).to.deep.equal([]);
    });

  /** Calls with a good token of account information. */
  const ask = (path: string, more: Omit<TestCall, "path"> = {}) =>
    resource.call({ token: resource.giveToken(), path, ...more });
  const callOf = ({ method, path }: (typeof PLACES)[number]) => ({
    method,
    path: path.replace("{id}", HISTORY).replace(/\{\w+\}/g, "x"),
  });

  conforms("lists accounts as described (COBS 3.1.3)", async () => {
    await ask(`${ACCOUNTS}?size=3&page=1&sort=currency,iban&order=desc`, {
      headers: { "accept-language": "en", "action-id": "paging", "x-request-id": "one" },
    });
    await ask(ACCOUNTS);
    await ask(`${ACCOUNTS}?page=99`);
    await ask(`${ACCOUNTS}?page=x&size=0&sort=colour&order=up`);
    await ask(ACCOUNTS, { headers: { "user-involved": "maybe" } });
    await resource.call({ token: resource.giveToken("aisp-pisp", { account_ids: [] }), path: ACCOUNTS });
  });

  conforms("gives balances as described (COBS 3.1.4)", async () => {
    for (const account of [HISTORY, MULTI_CURRENCY, RICH, EMPTY]) await ask(`${ACCOUNTS}/${account}/balance`);
    await ask(`${ACCOUNTS}/${MULTI_CURRENCY}/balance?currency=USD`);
    await ask(`${BALANCE}?currency=JPY`);
    await ask(`${BALANCE}?currency=CZK&currency=EUR`);
    await ask(BALANCE, { headers: { "user-involved": "maybe" } });
    await ask(`${ACCOUNTS}/${FOREIGN}/balance`);
  });

  conforms("lists transactions as described (COBS 3.1.5)", async () => {
    for (const account of [HISTORY, MULTI_CURRENCY, RICH, EMPTY])
      await ask(`${ACCOUNTS}/${account}/transactions`, { headers: { "accept-language": "en" } });
    await ask(`${TRANSACTIONS}?size=2&page=1&sort=amount,bookingDate&order=desc`);
    await ask(`${TRANSACTIONS}?page=99`);
    await ask(`${TRANSACTIONS}?fromDate=2999-01-01&currency=JPY&sort=colour`);
    await ask(`${TRANSACTIONS}?fromDate=1800-01-01&toDate=yesterday`);
    await ask(`${TRANSACTIONS}?fromDate=yesterday&toDate=2999-01-01`);
    const authenticatedLongAgo = resource.giveToken("aisp-pisp", { auth_time: undefined });
    await ask(`${TRANSACTIONS}?fromDate=2020-01-01`, { token: authenticatedLongAgo });
    await ask(`${ACCOUNTS}/${FOREIGN}/transactions`);
  });

  conforms("refuses too many accesses without the PSU as described (RTS Article 36)", async () => {
    const resources = await runTwoResources({ UNATTENDED_ACCESSES: "1" });
    for (const of of [`${HISTORY}/balance`, `${HISTORY}/transactions`]) {
      for (const wait of [HOUR, 0]) {
        const answer = await resources.ask({ consent: "consent-of-many-accesses", of });
        observation.take("https://localhost:9443", { path: `${ACCOUNTS}/${of}` }, answer);
        await resources.advance(wait);
      }
    }
    await resources.stop();
  });

  conforms(
    "refuses too many unusable tokens at every resource as described (RFC 6585 section 4)",
    async () => {
      const strict = observedResource(await runResource({ UNUSABLE_TOKENS_PER_MINUTE: "1" }), observation);
      const token = "unknown-token";
      await strict.call({ certificate: "all-roles", token });
      for (const place of RESOURCES.filter(
        ({ operation }) => operation.operationId !== "checkBalanceForCard",
      )) {
        const { status } = await strict.call({ ...callOf(place), certificate: "all-roles", token });
        expect(status, place.path).to.equal(429);
      }
      await strict.stop();
    },
  );

  conforms("refuses too many new tokens at every resource as described (RFC 6585 section 4)", async () => {
    const strict = observedResource(await runResource({ NEW_TOKENS_PER_MINUTE: "1" }), observation);
    await strict.call({ certificate: "all-roles", token: strict.giveToken("all-roles") });
    const token = strict.giveToken("all-roles");
    for (const place of RESOURCES.filter(
      ({ operation }) => operation.operationId !== "checkBalanceForCard",
    )) {
      const { status } = await strict.call({ ...callOf(place), certificate: "all-roles", token });
      expect(status, place.path).to.equal(429);
    }
    await strict.stop();
  });

  conforms(
    "refuses a card issuer too many questions without a consent as described (RFC 6585 section 4)",
    async () => {
      const strict = observedResource(await runResource({ UNUSABLE_TOKENS_PER_MINUTE: "1" }), observation);
      const { ask } = checksAt(strict);
      for (const status of [403, 429])
        expect((await ask(CARD_CHECK, questionAbout(HISTORY))).status).to.equal(status);
      await strict.stop();
    },
  );

  conforms("refuses too many payments as described (RFC 6585 section 4)", async () => {
    const strict = observedResource(await runResource({ PAYMENTS_PER_MINUTE: "1" }), observation);
    const tpp = await openPayingTpp(strict);
    for (const status of [200, 429])
      expect((await tpp.send("POST", PAYMENTS, tpp.order())).status).to.equal(status);
    await strict.stop();
  });

  conforms("refuses too many calls at once at every resource as described (RL-01)", async () => {
    const limits = { tunnelled: true, callWaitMilliseconds: 20_000 };
    const strict = observedResource(
      await runResource({ CALLS_AT_ONCE_PER_TPP: "1" }, undefined, limits),
      observation,
    );
    const certificate = "all-roles";
    const call = { certificate, token: strict.giveToken(certificate, OF_ALL), agent: false } as const;
    expect((await strict.call(call)).status).to.equal(200);
    strict.database.stall();
    const waiting = Array.from({ length: 1 + 4 }, () => strict.call(call));
    const refused = () => strict.logLines.some(({ refusal }) => refusal === "calls_at_once");
    await eventually(async () => {
      waiting.push(strict.call(call));
      await delay(20);
      return refused();
    });
    for (const place of RESOURCES) {
      const { status } = await strict.call({
        ...call,
        ...callOf(place),
        ...(place.method === "GET" ? {} : EMPTY_BODY),
      });
      expect(status, place.path).to.equal(429);
    }
    await strict.database.cut();
    await Promise.all(waiting);
    await strict.stop();
  });

  conforms("accepts and refuses payments as described (COBS 3.2.4 to 3.2.7)", async () => {
    await spoilAccounts(resource);
    const tpp = await openPayingTpp(resource);
    await enterPayments(tpp);
    await enterWrongly(tpp);
    await askForUnknown(tpp);
  });

  conforms("has payments approved as described (COBS 3.2.8 to 3.2.11)", async () => {
    const tpp = await openPayingTpp(resource);
    await approvePayment(tpp, resource);
    await stepWrongly(tpp, resource);
  });

  conforms("checks balances as described (COBS 3.2.3, 3.3.3)", () => checkBalances(resource));

  conforms(
    "refuses certificates, tokens, consents and media types at every resource as described (COBS 1.2.10)",
    async () => {
      const token = resource.giveToken();
      const all = resource.giveToken("all-roles", OF_ALL);
      const lost = resource.giveToken("all-roles", { ...OF_ALL, consented_services: [] });
      const { paymentId, signId } = await (await openPayingTpp(resource, "all-roles")).pay();
      for (const place of RESOURCES) {
        const call = { ...callOf(place), token };
        await resource.call({ ...call, certificate: null });
        await resource.call({ ...call, certificate: "wrong-expired" });
        await resource.call({ ...callOf(place) });
        await resource.call({ ...call, token: "unknown-token" });
        await resource.call({
          ...call,
          certificate: place.operation.tags[0] === "Accounts" ? "pisp" : "aisp",
        });
        await resource.call({ ...call, token: resource.giveToken("aisp-pisp", { scope: "none" }) });
        await resource.call({ ...call, certificate: "all-roles", token: lost });
        const admitted = { ...call, certificate: "all-roles", token: all };
        await resource.call({ ...admitted, headers: { accept: "text/html" } });
        const path = place.path.replace("{id}", HISTORY).replace("{paymentId}", paymentId);
        const known = { ...admitted, path: path.replace("{signId}", signId) };
        const { headers, ...body } = place.method === "GET" ? { headers: {} } : EMPTY_BODY;
        for (const involved of [["true", "false"], "maybe"])
          await resource.call({ ...known, ...body, headers: { ...headers, "user-involved": involved } });
      }
    },
  );

  conforms("accepts in headers what their schemas accept, and nothing else (COBS OpenAPI)", async () => {
    const tpp = await openPayingTpp(resource);
    for (const [name, values] of [
      ["User-Involved", ["true", "FALSE", "maybe", "1"]],
      ["Idempotency-Key", ["a", "a".repeat(64), "a".repeat(65), "a b", "A-1._~:", "a/b"]],
    ] as const)
      for (const value of values) {
        const answer = await tpp.send("POST", PAYMENTS, {}, { headers: { [name]: value } });
        const isRefused = answer.body.includes(`"scope":"${name}"`);
        const place = `#/components/parameters/${name}/schema`;
        expect(faultsBySchema(place, value).length > 0, `${name}: ${value}`).to.equal(isRefused);
      }
  });

  conforms("answers as described about what is not offered (COBS PDF 1.2.10)", async () => {
    const without = observedResource(await runWithoutPayments(resource), observation);
    const token = resource.giveToken("all-roles", OF_ALL);
    for (const place of RESOURCES.filter(({ operation }) => "501" in operation.responses)) {
      const { status } = await without.call({ ...callOf(place), certificate: "all-roles", token });
      expect(status, place.path).to.equal(501);
    }
    await without.stop();
  });

  conforms("refuses a foreign host as described", async () => {
    for (const place of PLACES) await resource.call({ ...callOf(place), headers: { host: "evil.example" } });
  });

  conforms("publishes its description to anybody, without a certificate", async () => {
    const answer = await resource.call({ certificate: null, path: "/cobs/2.0/openapi.json" });
    expect(answer.status).to.equal(200);
  });

  conforms("says as described that it cannot answer at the moment", async () => {
    const token = resource.giveToken("all-roles", OF_ALL);
    await resource.auth.close();
    await resource.database.cut();
    // What auth has told of endings is good for a while.
    resource.clock.advance(3_600_000);
    for (const place of RESOURCES) await resource.call({ ...callOf(place), certificate: "all-roles", token });
  });

  it("has given every status and code that is described, except those of the table", () => {
    const missing = namesOf(PLACES).filter((name) => !observation.reached.has(name));
    const unexplained = missing.filter((name) => UNREACHED.every(([which]) => !which.test(name)));
    expect(unexplained).to.deep.equal([]);
  });

  it("has answered with every member and value that is described, except those of the table", () => {
    const missing = membersOf(PLACES).filter((name) => !observation.members.has(name));
    expect(missing.filter((name) => !UNTOLD_BY_RESOURCE.includes(name))).to.deep.equal([]);
  });

  it("has refused in the words of every example of an operation, except those of the table", () => {
    const untrue = shownRefusalsOf(PLACES).filter((shown) => !observation.refusals.has(shown));
    expect(untrue.filter((shown) => UNSHOWN.every(([which]) => !which.test(shown)))).to.deep.equal([]);
  });

  it("has refused certificates, tokens, roles and consents in an example's words, but for reasons of a certificate", () => {
    const shown = shownRefusalsOf(PLACES);
    const unshown = [...observation.refusals].filter(
      (refusal) =>
        / 40[13] /.test(refusal) && !/: The certificate /.test(refusal) && !shown.includes(refusal),
    );
    expect(unshown).to.deep.equal([]);
  });
});
