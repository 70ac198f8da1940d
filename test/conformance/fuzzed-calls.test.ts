import { Agent } from "node:https";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { ACCOUNTS } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, FOREIGN, HISTORY, MULTI_CURRENCY, RICH } from "../resource/small-movements.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { FUZZ_SEED, FUZZED_CALLS } from "../support/test-environment.ts";

const HOSTILE = [
  "",
  " ",
  "0",
  "1",
  "-1",
  "100",
  "101",
  "1e9",
  "999999999999999",
  "9999999999999999999",
  "asc",
  "desc",
  ",",
  ",,desc",
  "bookingDate",
  "amount,entryReference",
  "valueDate,bookingDate,amount",
  "CZK",
  "EUR",
  "czk",
  "true",
  "false",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "1900-01-01",
  "2026-10-25T02:30:00+02:00",
  "2026-03-29T02:30:00Z",
  "-271821-04-20T00:00:00Z",
  "infinity",
  "application/json",
  "*/*;q=0",
  "gzip, br;q=0.5, identity;q=0",
  "en-GB, cs;q=0",
  "\u0000",
  "\ufffd",
  "' OR 1=1 --",
  "%",
  "%2",
  "%c0%af",
  "__proto__",
  '{"exactNumber":"1"}',
  "x".repeat(3_000),
];
const PARAMETERS = [
  "page",
  "size",
  "sort",
  "order",
  "fromDate",
  "toDate",
  "currency",
  "fields",
  "access_token",
];
const HEADERS = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "action-id",
  "api-key",
  "content-type",
  "date",
  "if-modified-since",
  "if-none-match",
  "range",
  "tpp-identification",
  "tpp-name",
  "user-involved",
  "x-request-id",
];
const IDS = [HISTORY, MULTI_CURRENCY, RICH, EMPTY, FOREIGN, "nobody"];
const ENDS = ["balance", "transactions", "", "Balance", "transactions/", "balance/..", "x"];
const METHODS = ["GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/** Limits a path to the characters that Node's client sends, and that a proxy in front would send. */
const inPath = (text: string) =>
  text.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
const inHeader = (text: string) => text.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/gu, "?");

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);
const id = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...IDS) }, { weight: 1, arbitrary: text });
const path = fc.oneof(
  { weight: 1, arbitrary: fc.constant(ACCOUNTS) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        id,
        fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom("balance", "transactions") },
          fc.constantFrom(...ENDS),
        ),
      )
      .map(([account, end]) => `${ACCOUNTS}/${account}/${end}`),
  },
  { weight: 1, arbitrary: text.map((each) => `/${each}`) },
);
const parameter = fc
  .tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PARAMETERS) }, text), text, fc.boolean())
  .map(([name, value, escaped]) =>
    escaped ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}` : `${name}=${value}`,
  );
const made = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc
    .tuple(path, fc.array(parameter, { maxLength: 5 }))
    .map(([start, parameters]) =>
      inPath(`${start}${parameters.length > 0 ? "?" : ""}${parameters.join("&")}`),
    ),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), text.map(inHeader), { maxKeys: 4 }),
});

describe("fuzzed calls", () => {
  let resource: RunningResource;
  let token: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(async () => {
    agent.destroy();
    await resource.stop();
  });

  function decoded({ headers, bytes }: RawAnswer): string {
    if (headers["content-encoding"] === "gzip") return gunzipSync(bytes).toString("utf8");
    if (headers["content-encoding"] === "br") return brotliDecompressSync(bytes).toString("utf8");
    expect(headers["content-encoding"]).to.equal(undefined);
    return bytes.toString("utf8");
  }

  function expectDocument(answer: RawAnswer): void {
    expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
    const document = JSON.parse(decoded(answer));
    if (answer.status === 200) expectAnswer(document);
    else expectErrors(document);
  }

  function expectAnswer(document: Record<string, unknown>): void {
    const [entries, ...others] = ["accounts", "balances", "transactions"].filter((name) => name in document);
    expect(others).to.deep.equal([]);
    expect(document[entries ?? ""]).to.be.an("array");
  }

  function expectErrors(document: Record<string, unknown>): void {
    expect(document).to.have.all.keys("errors");
    expect(document.errors).to.be.an("array").that.is.not.empty;
    for (const error of Array.isArray(document.errors) ? document.errors : [])
      expect(error).to.have.all.keys("error", "scope", "parameters", "message");
  }

  it("are answered or refused in the words of the standard, never with a server error", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(made, async (call) => {
        const answer = await resource.call({ token, agent, ...call });
        expect(answer.status, "status").to.be.below(500);
        expect(answer.headers["cache-control"]).to.equal("no-store");
        expect(answer.headers["x-request-id"]).to.match(/^[A-Za-z0-9._:-]{1,60}$/);
        if (answer.status === 200) answered += 1;
        if (call.method === "HEAD") expect(answer.bytes).to.have.length(0);
        else expectDocument(answer);
      }),
      { seed: FUZZ_SEED, numRuns: FUZZED_CALLS, endOnFailure: true },
    );
    // Otherwise the test would look at refusals alone.
    expect(answered).to.be.above(FUZZED_CALLS / 20);
  }).timeout(60_000 + FUZZED_CALLS * 100);
});
