import { readFileSync } from "node:fs";
import {
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parseIban,
  parsePsuId,
  requireTransaction,
} from "@cobs/cobs-model";
import { BankRefusal } from "@cobs/resource/sandbox";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import {
  askAccounts,
  askBalances,
  askTransactions,
  type CoreQuestion,
} from "../../packages/resource/src/bank/http-connector/core-questions.ts";
import {
  presentCoreOrder,
  readCoreOrder,
} from "../../packages/resource/src/bank/http-connector/order-json.ts";
import {
  askFunds,
  askInspection,
  askProgress,
  askTerms,
  sendOrder,
} from "../../packages/resource/src/bank/http-connector/order-questions.ts";
import { openKitCore } from "../../packages/resource/src/core-kit/kit-core.ts";
import { kitOrder } from "../../packages/resource/src/core-kit/kit-order.ts";
import { openCoreSystem } from "../../packages/sandbox/src/core-system/open-core-system.ts";
import { presentCoreError } from "../../packages/sandbox/src/core-system/present-core-error.ts";
import { orderOf, TYPES, wholePayment } from "../cobs-model/payment/sample-payments.ts";
import { kitOrderToExecute } from "../resource/connector/kit-order-to-execute.ts";
import { SAMPLE_TRANSACTION } from "../resource/connector/sample-answers.ts";
import { identityOf } from "../support/identity-of.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { ANNA, memoryBank } from "./memory-bank.ts";

const TEXT = readFileSync("packages/resource/core-contract/openapi.json", "utf8");
const DOCUMENT = JSON.parse(TEXT);
const PSU = parsePsuId("anna");
const OF = { psu: PSU, account: parseAccountId("a1"), currency: undefined };
const EVERYTHING = {
  ...OF,
  from: new Date("2026-01-01T00:00:00Z"),
  before: undefined,
  sort: [],
  page: { page: 0, size: 2 },
};

const ACCOUNT_TO_PAY = {
  iban: makeCzechIban("9900", parseCzechAccountNumber("19-2000145399")),
  currency: parseCurrencyCode("CZK"),
};
const PAYEE = parseIban("CZ6508000000192000145399");
const ORDER = kitOrder(ACCOUNT_TO_PAY, PAYEE);
const TO_EXECUTE = kitOrderToExecute(PSU, { ...ACCOUNT_TO_PAY, id: OF.account }, PAYEE);
const PAYING = parseAccountId("a-02c4d8");
const FUNDS = {
  psu: PSU,
  accounts: [PAYING],
  iban: ACCOUNT_TO_PAY.iban,
  currency: undefined,
  amount: ORDER.amount,
};

/** The questions of the contract by their paths, and the schemas of their answers. */
const QUESTIONS: readonly (readonly [string, CoreQuestion<unknown>, string])[] = [
  ["/psus/{psuId}/accounts", askAccounts(PSU), "Accounts"],
  ["/psus/{psuId}/accounts/{accountId}/balances", askBalances(OF), "Balances"],
  ["/psus/{psuId}/accounts/{accountId}/transactions", askTransactions(EVERYTHING), "Transactions"],
  ["/terms", askTerms(), "Terms"],
  ["/order-inspections", askInspection({ psu: PSU, accounts: [PAYING], order: ORDER }), "Inspection"],
  ["/orders/{paymentId}", sendOrder(TO_EXECUTE), "Outcome"],
  ["/orders/{paymentId}", askProgress(TO_EXECUTE.paymentId), "Progress"],
  ["/funds-checks", askFunds(FUNDS), "Funds"],
];

const CZK = parseCurrencyCode("CZK");

/** Questions that wish for more, and may be refused for it. */
const WISHING: Readonly<Record<string, CoreQuestion<unknown>>> = {
  "/psus/{psuId}/accounts/{accountId}/balances": askBalances({ ...OF, currency: CZK }),
  "/psus/{psuId}/accounts/{accountId}/transactions": askTransactions({
    ...EVERYTHING,
    currency: CZK,
    sort: [{ field: "amount", direction: "asc" }],
  }),
};

/** What the description says that its examples are about: the parameters of the path, or members of the body. */
function describedAbout(path: string, question: CoreQuestion<unknown>): Record<string, unknown> {
  const item = DOCUMENT.paths[path];
  const parameters: { in: string; name: string; example: unknown }[] = item.parameters;
  const body = item[methodOf(question)].requestBody?.content["application/json"].example ?? {};
  const inBody = { psuId: body.psuId, iban: body.iban ?? body.order?.debtorAccount.iban };
  const inPath = parameters.filter((each) => each.in === "path").map(({ name, example }) => [name, example]);
  return { ...inBody, ...Object.fromEntries(inPath) };
}

const methodOf = ({ sends }: CoreQuestion<unknown>) => (sends?.method ?? "GET").toLowerCase();

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What questions without a refusal and without a query or a body cannot get wrong. */
const refusalsOf = (question: CoreQuestion<unknown>) =>
  question.operation === "terms" ? [] : [...question.refusals, "request_malformed"];

const schemas = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(schemas);
schemas.addSchema(DOCUMENT, "contract");
schemas.addSchema(JSON.parse(TEXT, closed), "closed");

/** An object that has no other members than those that are described. */
function closed(_name: string, value: unknown): unknown {
  const isObject = value instanceof Object && "type" in value && value.type === "object";
  return isObject ? { additionalProperties: false, ...value } : value;
}

/** What is wrong with a value by a schema of the document. */
function faultsOf(schema: string, value: unknown, document = "contract"): readonly string[] {
  const validate = schemas.getSchema(`${document}#/components/schemas/${schema}`);
  if (validate === undefined) return [`there is no schema ${schema}`];
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface NamedExample {
  readonly value: {
    readonly transactions?: readonly unknown[];
    readonly status: number;
    readonly code: string;
  };
}

const examplesIn = (content: Record<string, { examples?: Record<string, NamedExample> }>, type: string) =>
  Object.entries(content[type]?.examples ?? {});

describe("the description of the contract with a core system", () => {
  it("is an OpenAPI document of version 3.1", async () => {
    expect(await new Validator().validate(DOCUMENT)).to.deep.include({ valid: true });
    expect(DOCUMENT.openapi).to.match(/^3\.1\./);
  });

  it("has exactly the questions that are asked", () => {
    const described = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
      Object.keys(item ?? {}).flatMap((name) => (name === "parameters" ? [] : [`${name} ${path}`])),
    );
    expect(described).to.have.members(QUESTIONS.map(([path, question]) => `${methodOf(question)} ${path}`));
    for (const [path, question] of QUESTIONS) {
      const { path: asked } = question;
      const described = DOCUMENT.paths[path][methodOf(question)].parameters ?? [];
      const known = new Set(described.map(({ name }: { name: string }) => name));
      for (const name of new URLSearchParams(asked.split("?")[1]).keys()) expect(known).to.include(name);
    }
  });

  for (const [path, question, schema] of QUESTIONS) {
    const { responses, requestBody } = DOCUMENT.paths[path][methodOf(question)];
    const named = `${methodOf(question)} ${path}`;

    it(`describes the body that is sent, with a valid example: ${named}`, () => {
      expect(requestBody === undefined).to.equal(question.sends === undefined);
      if (requestBody === undefined) return;
      const { schema, example } = requestBody.content["application/json"];
      const name = schema.$ref.split("/").at(-1);
      expect(faultsOf(name, example)).to.deep.equal([]);
      expect(faultsOf(name, roundTrip(question.sends?.json))).to.deep.equal([]);
      const order = example.order;
      if (order !== undefined) expect(roundTrip(presentCoreOrder(readCoreOrder(order)))).to.deep.equal(order);
    });

    it(`shows answers that match its schema and are accepted: ${named}`, () => {
      const examples = examplesIn(responses["200"].content, "application/json");
      expect(examples).not.to.have.length(0);
      for (const [name, { value }] of examples) {
        expect(faultsOf(schema, value), name).to.deep.equal([]);
        expect(() => parserFor(question, value)(value), name).not.to.throw();
      }
    });

    it(`requires every answer to name what was asked about, as its examples do: ${named}`, () => {
      const names = Object.keys(question.about);
      expect(names.length > 0).to.equal(path !== "/terms");
      const described = describedAbout(path, question);
      for (const [example, { value }] of examplesIn(responses["200"].content, "application/json"))
        for (const name of names) {
          expect(value, example).to.have.property(name, described[name]);
          const unnamed = roundTrip({ ...value, [name]: undefined });
          expect(faultsOf(schema, unnamed), name).not.to.deep.equal([]);
        }
    });

    it(`shows exactly the refusals that may come, each valid by its schema: ${named}`, () => {
      const shown = ["400", "404"].flatMap((status) =>
        examplesIn(responses[status]?.content ?? {}, "application/problem+json").map(([code, { value }]) => {
          expect(faultsOf("Problem", value), code).to.deep.equal([]);
          expect(value).to.include({ status: Number(status), code });
          return code;
        }),
      );
      expect(shown).to.have.members(refusalsOf(WISHING[path] ?? question));
    });
  }

  it("requires a PSU in a question for funds and in its answer", () => {
    const { about, sends } = askFunds(FUNDS);
    const answer = { ...about, accountId: PAYING, enough: true, fault: null };
    expect(faultsOf("Funds", answer)).to.deep.equal([]);
    expect(faultsOf("Funds", { ...answer, psuId: null })).to.deep.equal(["/psuId must be string"]);
    expect(faultsOf("FundsQuestion", { ...sends?.json, psuId: null })).to.include("/psuId must be string");
  });

  it("requires an account in a question for funds and in its answer", () => {
    const { about, sends } = askFunds(FUNDS);
    const missing = [" must have required property 'accountId'"];
    expect(faultsOf("Funds", { ...about, enough: true, fault: null })).to.deep.equal(missing);
    for (const accountIds of [null, []])
      expect(faultsOf("FundsQuestion", { ...sends?.json, accountIds }), `${accountIds}`).to.have.length(1);
  });

  for (const type of TYPES)
    it(`describes each element of an order in its place: ${type} (COBS 3.2.4)`, () => {
      const order = roundTrip(presentCoreOrder(orderOf(wholePayment(type))));
      expect(faultsOf("PaymentOrder", order, "closed")).to.deep.equal([]);
    });

  it("says that an approved order comes without X-Request-ID and traceparent (clause 1.2)", () => {
    for (const { parameters = [] } of Object.values<{ readonly parameters?: readonly Named[] }>(
      DOCUMENT.paths,
    ))
      for (const name of ["X-Request-ID", "traceparent"])
        expect(parameters.find((each) => each.name === name)?.description).to.include(
          "Absent outside any call: when an approved order is executed and looked up",
        );
  });

  it("gives every enum the type string, without which generators would allow anything", () => {
    const lists: unknown[] = [];
    JSON.parse(TEXT, (_name, value) => {
      if (value?.enum !== undefined) lists.push(value.type);
      return value;
    });
    expect(lists).not.to.be.empty;
    for (const type of lists) expect(type).to.equal("string");
  });

  for (const [told, isDescribed] of [
    ["2026-11-21", true],
    ["2026-11-21T10:00+01:00", true],
    ["2026-11-21T10:00:00.123Z", true],
    ["2026-11-21T10:00:00", false],
    ["2026-11-21 10:00", false],
  ] as const)
    it(`${isDescribed ? "describes" : "does not describe"} ${told} as the day of a booking, and it is ${isDescribed ? "believed" : "not believed"}`, () => {
      const entry = { ...SAMPLE_TRANSACTION, bookingDate: told };
      expect(faultsOf("Transaction", entry)).to.have.length(isDescribed ? 0 : 1);
      const read = () => requireTransaction(entry);
      if (isDescribed) expect(read).not.to.throw();
      else expect(read).to.throw();
    });

  it("matches the answers of the sandbox's core system", async () => {
    const { server, bank, privateCaFile } = await testCertificates();
    const authority = readFileSync(privateCaFile, "utf8");
    const { log } = readableLog();
    const place = { port: 0, keyPair: server.resourceBank, authority, log };
    const system = await openCoreSystem(memoryBank(), place);
    const core = openKitCore({
      url: new URL(system.url),
      authority,
      identity: identityOf(bank.resource),
      timeoutMilliseconds: 10_000,
      callsAtOnce: 1,
    });
    for (const [path, question, schema] of QUESTIONS) {
      const answer = await core.send(question.path.replace("anna", ANNA), question.sends);
      expect(answer.status, path).to.equal(200);
      const told = JSON.parse(answer.body.toString());
      expect(faultsOf(schema, told), path).to.deep.equal([]);
      expect(told, path).to.include(question.about);
    }
    await core.close();
    await system.close();
  });

  it("matches the refusals of the sandbox's core system", () => {
    const call = { requestId: "1", method: "GET", path: "/", acceptLanguage: undefined };
    for (const code of ["account_unknown", "currency_unknown", "sort_too_large"] as const) {
      const { answer } = presentCoreError(new BankRefusal(code), call);
      const problem = JSON.parse(String(answer.content?.body));
      expect(faultsOf("Problem", problem)).to.deep.equal([]);
      expect(problem).to.include({ code, status: answer.status });
    }
  });
});

/** The pages of the examples are of the size that they show. */
function parserFor(question: CoreQuestion<unknown>, value: NamedExample["value"]) {
  const isPast = value.transactions?.length === 0;
  return isPast ? askTransactions({ ...EVERYTHING, page: { page: 1, size: 2 } }).parse : question.parse;
}

type Named = { readonly name: string; readonly description: string };
