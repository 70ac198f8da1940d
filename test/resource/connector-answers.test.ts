import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { parseAccountId, parseCurrencyCode, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import type { AccountBank } from "../../packages/resource/src/bank/bank.ts";
import { CoreUnavailable } from "../../packages/resource/src/bank/core-unavailable.ts";
import { openCoreExchange } from "../../packages/resource/src/bank/http-connector/core-exchange.ts";
import {
  askAccounts,
  type CoreQuestion,
} from "../../packages/resource/src/bank/http-connector/core-questions.ts";
import { UnbelievableAnswer } from "../../packages/resource/src/bank/http-connector/json-members.ts";
import { judgeAnswer } from "../../packages/resource/src/bank/http-connector/judge-answer.ts";
import { eventually } from "../support/eventually.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import { rejectionOf } from "../support/rejection.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type ConnectedBank, connectCore } from "./connector/connect-core.ts";
import {
  OF_A1,
  OF_ANNA,
  SAMPLE_ACCOUNT,
  SAMPLE_ACCOUNTS,
  SAMPLE_BALANCE,
  SAMPLE_BALANCES,
  SAMPLE_TRANSACTION,
} from "./connector/sample-answers.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
  UNBOUNDED,
} from "./connector/scripted-core.ts";

const PSU = parsePsuId("anna");
const MANY_OCTETS = 1_500_000;
const CHUNK = "1\r\n \r\n";
const HEAD = Buffer.from(UNBOUNDED.replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n"));
const CZK = parseCurrencyCode("CZK");
const OF = { psu: PSU, account: parseAccountId("a1") };
const MAY = {
  ...OF,
  currency: CZK,
  from: new Date("2026-04-30T22:00:00Z"),
  before: new Date("2026-05-31T22:00:00Z"),
  sort: [],
  page: { page: 0, size: 2 },
};

const account = (changed: object) => ({ ...OF_ANNA, accounts: [{ ...SAMPLE_ACCOUNT, ...changed }] });
const balance = (changed: object) => ({ ...OF_A1, balances: [{ ...SAMPLE_BALANCE, ...changed }] });
const transaction = (changed: object) => ({
  ...OF_A1,
  totalCount: 1,
  transactions: [{ ...SAMPLE_TRANSACTION, ...changed }],
});
const T = SAMPLE_TRANSACTION;
const creditorAccount = (identification: string) => ({
  relatedParties: { creditorAccount: { identification: { other: { identification } } } },
});
const creditorAgent = (identification: string) => ({
  relatedAgents: { creditorAgent: { financialInstitutionIdentification: { other: { identification } } } },
});

const NO_ACCOUNTS: readonly (readonly [string, unknown])[] = [
  ["no object", []],
  ["null", null],
  ["no list of accounts", OF_ANNA],
  ["an object for the list", { ...OF_ANNA, accounts: {} }],
  ["null for an account", { ...OF_ANNA, accounts: [null] }],
  ["one account twice", { ...OF_ANNA, accounts: [SAMPLE_ACCOUNT, SAMPLE_ACCOUNT] }],
  ["an id with a slash", account({ id: "a/1" })],
  ["a number for an id", account({ id: 1 })],
  ["its IBAN for an id", account({ id: SAMPLE_ACCOUNT.iban })],
  ["its account number for an id", account({ id: SAMPLE_ACCOUNT.number })],
  ["its account number with zeros for an id", account({ id: "0019-2000145399", number: "0019-2000145399" })],
  ["an IBAN with a wrong checksum", account({ iban: "CZ0099000000192000145399" })],
  ["no IBAN", account({ iban: null })],
  ["an invalid account number", account({ number: "1" })],
  ["another account number than its IBAN has", account({ number: "2000000018" })],
  ["only the base of the account number in its IBAN", account({ number: "2000145399" })],
  [
    "another bank code than its IBAN has",
    account({ servicer: { ...SAMPLE_ACCOUNT.servicer, bankCode: "0800" } }),
  ],
  ["an account number that is missing, not null", account({ number: undefined })],
  ["a currency in small letters", account({ currency: "czk" })],
  ["an unknown servicer", account({ servicer: { bankCode: null, countryCode: null, bic: null } })],
  ["a servicer without a BIC", account({ servicer: { bankCode: "9900", countryCode: "CZ" } })],
  ["an invalid BIC", account({ servicer: { ...SAMPLE_ACCOUNT.servicer, bic: "X" } })],
  ["a BIC with an invalid location", account({ servicer: { ...SAMPLE_ACCOUNT.servicer, bic: "TESTCZ0O" } })],
  ["an unknown country", account({ servicer: { ...SAMPLE_ACCOUNT.servicer, countryCode: "ZZ" } })],
  ["a name in one language", account({ names: { cs: "Účet" } })],
  ["a name of 141 characters", account({ names: { cs: "x".repeat(141), en: "Account" } })],
  [
    "a name of 141 characters of two code units each",
    account({ names: { cs: "💰".repeat(141), en: "Account" } }),
  ],
  ["1,001 accounts", { ...OF_ANNA, accounts: manyAccounts(1_001) }],
];

const NO_BALANCES: readonly (readonly [string, unknown])[] = [
  ["no balance", { ...OF_A1, balances: [] }],
  ["a number for an amount", balance({ amount: { value: 12.5, currency: "CZK" } })],
  ["a comma in an amount", balance({ amount: { value: "12,50", currency: "CZK" } })],
  ["an exponent", balance({ amount: { value: "1e3", currency: "CZK" } })],
  ["two signs", balance({ amount: { value: "--1", currency: "CZK" } })],
  ["more decimals than crowns have", balance({ amount: { value: "1.005", currency: "CZK" } })],
  ["an unknown kind", balance({ type: "XPCD" })],
  ["one kind twice", { ...OF_A1, balances: [SAMPLE_BALANCE, SAMPLE_BALANCE] }],
  ["no creditLine", balance({ creditLine: undefined })],
  ["a negative creditLine", creditLine("-1.00", "CZK")],
  ["a creditLine in another currency", creditLine("1.00", "EUR")],
  ["a creditLine that does not say whether it is included", creditLine("1.00", "CZK", "no")],
  ["a time without an offset", balance({ at: "2026-05-02T12:15:00" })],
  ["a day that does not exist", balance({ at: "2026-02-30" })],
  ["another currency than was asked for", balance({ ...inEuro(), creditLine: null })],
];

const NO_TRANSACTIONS: readonly (readonly [string, unknown])[] = [
  ["no totalCount", { ...OF_A1, transactions: [T] }],
  ["a totalCount that is text", { ...OF_A1, totalCount: "1", transactions: [T] }],
  ["a negative totalCount", { ...OF_A1, totalCount: -1, transactions: [] }],
  ["fewer transactions than totalCount says", { ...OF_A1, totalCount: 2, transactions: [T] }],
  ["more transactions than totalCount says", { ...OF_A1, totalCount: 1, transactions: [T, T] }],
  ["more transactions than a page holds", { ...OF_A1, totalCount: 3, transactions: [T, T, T] }],
  ["a number for an amount", transaction({ amount: { value: 1, currency: "CZK" } })],
  ["a negative amount", transaction({ amount: { value: "-1.00", currency: "CZK" } })],
  ["another currency than was asked for", transaction(inEuro())],
  ["an unknown direction", transaction({ direction: "OUT" })],
  ["an unknown status", transaction({ status: "INFO" })],
  ["an invalid code", transaction({ code: "1" })],
  ["a detail that its kind must not have", transaction({ details: { charges: { bearer: "SHA" } } })],
  ["a day that does not exist", transaction({ bookingDate: "2026-05-32" })],
  ["no reference of its own, not even null", transaction({ entryReference: undefined })],
  ["no details, not even null", transaction({ details: undefined })],
  ["no word whether it is a reversal", transaction({ isReversal: undefined })],
  ["null for whether it is a reversal", transaction({ isReversal: null })],
  ["a number for whether it is a reversal", transaction({ isReversal: 1 })],
  ["an empty text for its own reference", transaction({ entryReference: "" })],
  ["forbidden characters in its own reference", transaction({ entryReference: "T_1" })],
  ["an invisible mark in its own reference", transaction({ entryReference: "T1\u200e" })],
  ["a line break in the number of an account", transaction({ details: creditorAccount("123\n456") })],
  ["an invisible mark in the code of a bank", transaction({ details: creditorAgent("08\u200e00") })],
  ["a booking before the span", transaction({ bookingDate: "2026-04-30" })],
  ["a booking after the span", transaction({ bookingDate: "2026-06-01" })],
];

const BORIS = parsePsuId("boris");
const EMPTY_PAGE = { totalCount: 0, transactions: [] };

type Asking = (bank: AccountBank) => Promise<unknown>;
const listMay: Asking = (bank) => bank.listTransactions(MAY);

/** Answers that would be right, had another been asked about; which question they come to, and which member gives them away. */
const NOT_ASKED_ABOUT: readonly (readonly [string, Asking, object, string])[] = [
  ["accounts of another PSU", (bank) => bank.accountsOf(BORIS), SAMPLE_ACCOUNTS, "psuId is not the one"],
  ["accounts of nobody", (bank) => bank.accountsOf(PSU), { accounts: [SAMPLE_ACCOUNT] }, "psuId is missing"],
  [
    "accounts of a PSU in other letters",
    (bank) => bank.accountsOf(PSU),
    { ...SAMPLE_ACCOUNTS, psuId: "Anna" },
    "psuId is not the one",
  ],
  [
    "accounts of a PSU that is null",
    (bank) => bank.accountsOf(PSU),
    { ...SAMPLE_ACCOUNTS, psuId: null },
    "psuId is not the one",
  ],
  [
    "balances of an account of another PSU",
    (bank) => bank.balancesOf({ ...OF, psu: BORIS, currency: undefined }),
    SAMPLE_BALANCES,
    "psuId is not the one",
  ],
  [
    "balances of another account of the PSU",
    (bank) => bank.currenciesOf({ ...OF, account: parseAccountId("a2") }),
    SAMPLE_BALANCES,
    "accountId is not the one",
  ],
  [
    "balances of no account",
    (bank) => bank.currenciesOf(OF),
    { ...OF_ANNA, balances: [SAMPLE_BALANCE] },
    "accountId is missing",
  ],
  [
    "transactions of another PSU, of whom there are none",
    (bank) => bank.listTransactions({ ...MAY, psu: BORIS }),
    { ...OF_A1, ...EMPTY_PAGE },
    "psuId is not the one",
  ],
  [
    "transactions of another account of the PSU",
    (bank) => bank.listTransactions({ ...MAY, account: parseAccountId("a2") }),
    transaction({}),
    "accountId is not the one",
  ],
  ["transactions of nobody", (bank) => bank.listTransactions(MAY), EMPTY_PAGE, "psuId is missing"],
];

const NO_JSON: readonly (readonly [string, Behaviour])[] = [
  ["an empty body", raw("")],
  ["an HTML page", raw("<html>", "text/html")],
  ["JSON under another media type", raw(JSON.stringify(SAMPLE_ACCOUNTS), "text/plain")],
  ["no media type", (_, response) => void response.writeHead(200).end("{}")],
  ["half of an object", raw('{"accounts": [')],
  ["two documents", raw('{"accounts": []}{"accounts": []}')],
  ["a member name twice, which readers take differently", raw('{"accounts": [], "accounts": []}')],
  ["a member name that changes objects", raw('{"__proto__": {"accounts": []}}')],
  ["arrays nested 100,000 deep", raw(`${"[".repeat(100_000)}`)],
  ["octets that are no UTF-8", raw(Buffer.from([0x7b, 0xff, 0x7d]))],
  ["UTF-16", raw(Buffer.from(JSON.stringify({ accounts: [] }), "utf16le"))],
  [
    "a body labelled as compressed",
    (_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
      response.end(JSON.stringify(SAMPLE_ACCOUNTS));
    },
  ],
];

describe("an answer of a core system", () => {
  let core: ScriptedCore;
  let connected: ConnectedBank;
  before(async () => {
    core = await startScriptedCore();
    connected = await connectCore(core.url);
  });
  after(async () => {
    await connected.close();
    await core.die();
  });

  const expectDisbelief = async (ask: (bank: AccountBank) => Promise<unknown>, behaviour: Behaviour) => {
    core.behave(behaviour);
    const refusal = await rejectionOf(ask(connected.bank));
    expect(refusal).to.be.instanceOf(CoreUnavailable);
    expect(refusal).to.include({ code: "answer_malformed" });
    return refusal instanceof CoreUnavailable ? refusal.detail : "";
  };
  /** It is wrong where its row says it, and not in whom it names. */
  const expectWrongContent = async (ask: Asking, answer: unknown) => {
    expect(await expectDisbelief(ask, answering(answer))).not.to.match(/^(psuId|accountId) /);
  };

  describe("about accounts is not believed with", () => {
    for (const [what, answer] of NO_ACCOUNTS)
      it(what, () => expectWrongContent((bank) => bank.accountsOf(PSU), answer));
  });

  describe("about balances is not believed with", () => {
    for (const [what, answer] of NO_BALANCES)
      it(what, () => expectWrongContent((bank) => bank.balancesOf({ ...OF, currency: CZK }), answer));
  });

  describe("about transactions is not believed with", () => {
    for (const [what, answer] of NO_TRANSACTIONS)
      it(what, () => expectWrongContent((bank) => bank.listTransactions(MAY), answer));
  });

  describe("is not believed when it is about", () => {
    for (const [what, ask, answer, detail] of NOT_ASKED_ABOUT)
      it(what, async () => expect(await expectDisbelief(ask, answering(answer))).to.include(detail));
  });

  it("is not believed when it was swapped with that about another PSU: neither gets the other's", async () => {
    const [asked, answerIt]: [unknown[], (() => void)[]] = [[], []];
    core.behave((request, response) => {
      const mine = asked.length;
      asked.push({ ...SAMPLE_ACCOUNTS, psuId: request.url?.split("/")[2] });
      answerIt.push(() => answering(asked[1 - mine])(request, response));
      if (asked.length === 2) for (const answer of answerIt) answer();
    });
    const both = [PSU, BORIS].map((psu) => rejectionOf(connected.bank.accountsOf(psu)));
    for (const refusal of await Promise.all(both))
      expect(refusal).to.include({
        code: "answer_malformed",
        detail: "psuId is not the one that was asked about (clause 1.6)",
      });
  });

  describe("is not believed with", () => {
    for (const [what, behaviour] of NO_JSON)
      it(what, () => expectDisbelief((bank) => bank.accountsOf(PSU), behaviour));
  });

  it("is not believed when it begins with a byte order mark, which the log names", async () => {
    const marked = raw(`\uFEFF${JSON.stringify(SAMPLE_ACCOUNTS)}`);
    expect(await expectDisbelief((bank) => bank.accountsOf(PSU), marked)).to.equal(
      "it begins with a byte order mark (clause 1.3)",
    );
  });

  it("that belongs to an earlier question has its connection closed", async () => {
    const before = new Map<Socket, object>();
    core.behave((request, response) => {
      const { socket } = request;
      const right = { ...SAMPLE_ACCOUNTS, psuId: request.url?.split("/")[2] };
      answering(before.get(socket) ?? right)(request, response);
      before.set(socket, right);
    });
    const single = await connectCore(core.url, { callsAtOnce: 1 });
    const endOf = (psu: typeof PSU) =>
      single.bank.accountsOf(psu).then(
        () => "answered",
        () => "refused",
      );
    const ends: string[] = [];
    for (const psu of [PSU, BORIS, PSU, BORIS, PSU]) ends.push(await endOf(psu));
    expect(ends).to.deep.equal(["answered", "refused", "answered", "refused", "answered"]);
    const connections = [...before.keys()];
    expect(connections).to.have.length(3);
    await eventually(() => connections.slice(0, 2).every(({ destroyed }) => destroyed));
    await single.close();
  });

  it("leaves nothing in memory when its connection is closed, also after 2,000 times", async () => {
    const { privateCaFile } = await testCertificates();
    const authority = readFileSync(privateCaFile, "utf8");
    const exchange = openCoreExchange({
      url: core.url,
      authority,
      timeoutMilliseconds: 1_000,
      callsAtOnce: 1,
    });
    exchange.leaveConnections();
    await turnOfEventLoop();
    const held = heapAfterCollection();
    for (let time = 0; time < 2_000; time += 1) exchange.leaveConnections();
    await turnOfEventLoop();
    expect(heapAfterCollection() - held).to.be.below(1_048_576);
    await exchange.close();
  });

  it("with wrong content alone keeps its connection in use", async () => {
    const connections = new Set<Socket>();
    core.behave((request, response) => {
      connections.add(request.socket);
      answering(account({ iban: null }))(request, response);
    });
    const single = await connectCore(core.url, { callsAtOnce: 1 });
    for (let call = 0; call < 3; call += 1)
      expect(await rejectionOf(single.bank.accountsOf(PSU))).to.include({ code: "answer_malformed" });
    expect(connections.size).to.equal(1);
    await single.close();
  });

  it("that is wrong does not disturb a right one under way", async () => {
    const held: (() => void)[] = [];
    core.behave((request, response) => {
      const answer = () => answering(SAMPLE_ACCOUNTS)(request, response);
      if (request.url?.includes("boris")) answer();
      else held.push(answer);
    });
    const right = connected.bank.accountsOf(PSU);
    await eventually(() => held.length === 1);
    expect(await rejectionOf(connected.bank.accountsOf(BORIS))).to.include({ code: "answer_malformed" });
    for (const answer of held) answer();
    expect(await right).to.deep.equal([SAMPLE_ACCOUNT]);
  });

  it("is logged with the place that is wrong, never with data of a PSU", async () => {
    core.behave(answering(account({ iban: "CZ0099000000192000145399" })));
    const refusal = await rejectionOf(connected.bank.accountsOf(PSU));
    const detail =
      "accounts[0].iban must be an IBAN in capital letters, without spaces, with the right check digits";
    expect(refusal).to.include({ detail: `${detail} (clause 2.1)` });
    expect(String(refusal)).not.to.include("2000145399");
  });

  describe("is logged with the fault and the clause:", () => {
    const wrong: readonly (readonly [string, Asking, unknown])[] = [
      [
        "accounts[0].servicer is missing (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ servicer: undefined }),
      ],
      [
        "accounts[0].servicer.bankCode must be four digits (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ servicer: { bankCode: 9900, countryCode: "CZ", bic: null } }),
      ],
      [
        "accounts[0].id must be text of 1 to 64 letters, digits, - and _ (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ id: 7 }),
      ],
      [
        "accounts[0].number must be text, an account number without its bank code, prefix-base, with the right check digits (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ number: "19-2000145399/9900" }),
      ],
      [
        "accounts[0].names.cs must be text of at most 140 characters (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ names: { cs: null, en: "Account" } }),
      ],
      [
        "accounts[1].id is that of an earlier account (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        { psuId: PSU, accounts: [SAMPLE_ACCOUNT, SAMPLE_ACCOUNT] },
      ],
      [
        "balances[1] repeats a type of an earlier one in its currency (clause 4.1)",
        (bank) => bank.currenciesOf(OF),
        { ...OF_A1, balances: [SAMPLE_BALANCE, SAMPLE_BALANCE] },
      ],
      [
        "accounts[0].number is not the one in its IBAN (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ number: "2000000018" }),
      ],
      [
        "accounts[0].servicer.bankCode is not the one in its IBAN (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ servicer: { ...SAMPLE_ACCOUNT.servicer, bankCode: "0800" } }),
      ],
      [
        "accounts[0].products is missing; it may be null, but not absent (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ products: undefined }),
      ],
      [
        "balances[0].amount.value must be text, a decimal number of at most 29 digits with no more decimals than its currency has (clause 4.1)",
        (bank) => bank.currenciesOf(OF),
        balance({ amount: { value: 0.1, currency: "CZK" } }),
      ],
      [
        "accounts[0].id must not be its IBAN or its number (clause 2.1)",
        (bank) => bank.accountsOf(PSU),
        account({ id: SAMPLE_ACCOUNT.iban }),
      ],
      [
        "balances[2] is in the main currency, but comes after one in another (clause 4.1)",
        (bank) => bank.currenciesOf(OF),
        { ...OF_A1, balances: [SAMPLE_BALANCE, inEuroOf("PRCD"), { ...SAMPLE_BALANCE, type: "ITBD" }] },
      ],
      [
        "transactions[0].entryReference must be null, not empty (clause 5.1)",
        listMay,
        transaction({ entryReference: "" }),
      ],
      ["transactions[0].valueDate is missing (clause 5.1)", listMay, transaction({ valueDate: undefined })],
      [
        "transactions[0].valueDate must not be null for this kind of transaction (clause 5.1)",
        listMay,
        transaction({ valueDate: null }),
      ],
      ["transactions[0].isReversal is missing (clause 5.1)", listMay, transaction({ isReversal: undefined })],
      [
        "transactions[0].isReversal must be true or false (clause 5.1)",
        listMay,
        transaction({ isReversal: null }),
      ],
      [
        "transactions[0].entryReference is missing; it may be null, but not absent (clause 5.1)",
        listMay,
        transaction({ entryReference: undefined }),
      ],
      [
        "transactions[0].details is missing; it may be null, but not absent (clause 5.1)",
        listMay,
        transaction({ details: undefined }),
      ],
      [
        "transactions[0].status must be one of BOOK, PDNG (clause 5.1)",
        listMay,
        transaction({ status: "INFO" }),
      ],
      [
        "transactions[1].bookingDate is outside the period that was asked for (clause 5.6)",
        listMay,
        { ...OF_A1, totalCount: 2, transactions: [T, { ...T, bookingDate: "2026-04-30" }] },
      ],
      [
        "transactions[0].details.charges is not used by this kind of transaction (clause 5.1)",
        listMay,
        transaction({ details: { charges: { bearer: "SHA" } } }),
      ],
    ];
    for (const [detail, ask, answer] of wrong)
      it(detail, async () => expect(await expectDisbelief(ask, answering(answer))).to.equal(detail));

    it("the clause that is broken, also when the fault's text names another", () => {
      const question: CoreQuestion<never> = {
        ...askAccounts(PSU),
        parse: () => {
          throw new UnbelievableAnswer("it is another (clause 9.9)");
        },
      };
      const body = Buffer.from(JSON.stringify({ psuId: PSU }));
      const header = (name: string) => (name === "content-type" ? "application/json" : undefined);
      expect(() => judgeAnswer({ status: 200, header, body }, question))
        .to.throw(CoreUnavailable)
        .with.property("detail", "it is another (clause 9.9) (clause 2.1)");
    });
  });

  describe("is accepted with", () => {
    it("unknown members of accounts, which are ignored", async () => {
      core.behave(answering({ ...account({ segment: "private" }), version: 2 }));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([SAMPLE_ACCOUNT]);
    });

    it("an account number with zeros before it, which its Czech IBAN has too", async () => {
      core.behave(answering(account({ number: "000019-2000145399" })));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([SAMPLE_ACCOUNT]);
    });

    it("an account number and a bank code that are not known, or whose IBAN is not Czech", async () => {
      const unknown = { number: null, servicer: { ...SAMPLE_ACCOUNT.servicer, bankCode: null } };
      core.behave(answering(account(unknown)));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([{ ...SAMPLE_ACCOUNT, ...unknown }]);
      const iban = "DE89370400440532013000";
      core.behave(answering(account({ iban })));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([{ ...SAMPLE_ACCOUNT, iban }]);
    });

    it("account names of 140 characters, however many code units each takes", async () => {
      const names = { cs: "💰".repeat(140), en: "é".repeat(140) };
      core.behave(answering(account({ names })));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([{ ...SAMPLE_ACCOUNT, names }]);
    });

    it("an empty or blank account name, replaced by the other language or left out (PDF 1.2.3)", async () => {
      const products = { cs: "", en: "Account" };
      const told = { names: null, products: { cs: "Account", en: "Account" } };
      for (const names of [
        { cs: "", en: "" },
        { cs: " ".repeat(35), en: "" },
      ]) {
        core.behave(answering(account({ names, products })));
        expect(await connected.bank.accountsOf(PSU)).to.deep.equal([{ ...SAMPLE_ACCOUNT, ...told }]);
      }
    });

    it("an account name cut within a character, shown as U+FFFD (RFC 8259 8.2)", async () => {
      core.behave(answering(account({ names: { cs: "Účet 💰".slice(0, -1), en: "💰".slice(1) } })));
      const [read] = await connected.bank.accountsOf(PSU);
      expect(read?.names).to.deep.equal({ cs: "Účet \ufffd", en: "\ufffd" });
    });

    it("account names that hide, reorder or break text, cleaned like texts of transactions (UI-09)", async () => {
      const names = { cs: "\u202eteoh\u202c Úspory\u0000", en: "\u200e" };
      const products = { cs: "Účet\r\n2026", en: "\u001b[31mSavings\u009b2J" };
      core.behave(answering(account({ names, products })));
      const [read] = await connected.bank.accountsOf(PSU);
      expect(read?.names).to.deep.equal({ cs: "teoh Úspory\ufffd", en: "teoh Úspory\ufffd" });
      expect(read?.products).to.deep.equal({ cs: "Účet 2026", en: "\ufffd[31mSavings\ufffd2J" });
    });

    for (const coding of ["identity", "IDENTITY", ""])
      it(`a content coding that means uncompressed: "${coding}" (RFC 9110 8.4)`, async () => {
        core.behave((request, response) => {
          response.setHeader("Content-Encoding", coding);
          answering(SAMPLE_ACCOUNTS)(request, response);
        });
        expect(await connected.bank.accountsOf(PSU)).to.deep.equal([SAMPLE_ACCOUNT]);
      });

    it("accounts that end when the connection does", async () => {
      core.behave(({ socket }) => socket.end(`${UNBOUNDED}${JSON.stringify(SAMPLE_ACCOUNTS)}\n`));
      expect(await connected.bank.accountsOf(PSU)).to.deep.equal([SAMPLE_ACCOUNT]);
    });

    it("accounts in chunks of one octet each, in less than 40 octets of memory per octet", async () => {
      const octets = Buffer.from(JSON.stringify(SAMPLE_ACCOUNTS).padEnd(MANY_OCTETS));
      const chunks = Buffer.alloc(MANY_OCTETS * CHUNK.length, CHUNK);
      for (const [place, octet] of octets.entries())
        chunks[place * CHUNK.length + CHUNK.indexOf(" ")] = octet;
      core.behave(({ socket }) => void socket.write(Buffer.concat([HEAD, chunks, Buffer.from("0\r\n\r\n")])));
      const patient = await connectCore(core.url, { timeoutMilliseconds: 100_000 });
      const atFirst = process.memoryUsage().heapUsed;
      let most = 0;
      const looking = setInterval(() => {
        most = Math.max(most, process.memoryUsage().heapUsed - atFirst);
      }, 5);
      expect(await patient.bank.accountsOf(PSU)).to.deep.equal([SAMPLE_ACCOUNT]);
      clearInterval(looking);
      await patient.close();
      expect(most / MANY_OCTETS).to.be.lessThan(40);
    });

    it("balances exact to the last digit", async () => {
      const huge = "-9007199254740993.07";
      core.behave(answering(balance({ amount: { value: huge, currency: "CZK" } })));
      const [read] = await connected.bank.balancesOf({ ...OF, currency: undefined });
      expect(read?.amount).to.deep.equal({ minor: -900_719_925_474_099_307n, currency: "CZK" });
      expect(read?.creditLine).to.deep.equal({
        included: true,
        amount: { minor: 500_000n, currency: "CZK" },
      });
      expect(await connected.bank.balancesOf({ ...OF, currency: CZK })).to.deep.equal([read]);
    });

    it("balances in several currencies, the main currency first", async () => {
      const usd = { ...inEuroOf("CLAV"), amount: { value: "1.00", currency: "USD" } };
      const balances = [inEuroOf("CLAV"), inEuroOf("ITBD"), SAMPLE_BALANCE, usd];
      // Those in the others may stand in any order.
      for (const further of [[], [{ ...SAMPLE_BALANCE, type: "ITBD" }]]) {
        core.behave(answering({ ...OF_A1, balances: [...balances, ...further] }));
        expect(await connected.bank.currenciesOf(OF)).to.deep.equal(["EUR", "CZK", "USD"]);
      }
      core.behave(answering(SAMPLE_BALANCES));
      expect(await connected.bank.currenciesOf(OF)).to.deep.equal(["CZK"]);
    });

    it("transactions on both edges of the span, and pending ones outside it", async () => {
      const entries = [
        { ...T, bookingDate: "2026-05-31" },
        { ...T, bookingDate: "2026-05-01T00:00:00+02:00" },
      ];
      core.behave(answering({ ...OF_A1, totalCount: 2, transactions: entries }));
      expect((await connected.bank.listTransactions(MAY)).entries).to.have.length(2);
      core.behave(answering(transaction({ status: "PDNG", bookingDate: "2026-06-02" })));
      expect((await connected.bank.listTransactions(MAY)).totalCount).to.equal(1);
    });

    it("unknown members of transactions at any level, which are dropped", async () => {
      const details = { branch: "Praha 1", references: { accountServicerReference: "R1", teller: 7 } };
      core.behave(answering(transaction({ details, channel: { name: "web" } })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map((entry) => [Object.keys(entry).includes("channel"), entry.details])).to.deep.equal([
        [false, { references: { accountServicerReference: "R1" } }],
      ]);
    });

    it("a transaction text in further languages, which are dropped (clause 1.3)", async () => {
      const text = { cs: "Výběr", en: "Withdrawal" };
      core.behave(
        answering(transaction({ details: { additionalTransactionInformation: { ...text, sk: "Výber" } } })),
      );
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map(({ details }) => details)).to.deep.equal([
        { additionalTransactionInformation: text },
      ]);
    });

    it("transactions with empty arrays, which are kept (PDF 1.2.3)", async () => {
      const nothing = { structured: { creditorReferenceInformation: { reference: [] } } };
      core.behave(answering(transaction({ details: { remittanceInformation: nothing } })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map(({ details }) => details)).to.deep.equal([{ remittanceInformation: nothing }]);
    });

    it("transaction texts with line breaks or cut characters, shown as a space or U+FFFD (RFC 8259 8.2)", async () => {
      const told = (unstructured: string, [cs, en]: readonly [string, string]) => ({
        remittanceInformation: { unstructured },
        additionalTransactionInformation: { cs, en },
      });
      const details = told("Nájem\r\nkvěten\t2026", ["Dík 💰".slice(0, -1), "one\n\u2028two"]);
      core.behave(answering(transaction({ details })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map((entry) => entry.details)).to.deep.equal([
        told("Nájem květen 2026", ["Dík \ufffd", "one  two"]),
      ]);
    });

    it("transaction texts with invisible marks, left out, or control characters, shown as U+FFFD", async () => {
      const told = (unstructured: string, name: string) => ({
        relatedParties: { creditor: { name } },
        remittanceInformation: { unstructured },
      });
      const details = told("Faktura\u0000\u001a 7 \u202d+420\u202c", "\u2066Dana\u2069\u200e");
      core.behave(answering(transaction({ details })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map((entry) => entry.details)).to.deep.equal([
        told("Faktura\ufffd\ufffd 7 +420", "Dana"),
      ]);
    });

    it("transaction references in any characters, replaced by permitted ones (COBS 3.1.1, EPC217-08)", async () => {
      const told = ([endToEndIdentification, chequeNumber]: readonly [string, string]) => ({
        references: { endToEndIdentification, chequeNumber, messageIdentification: "M-1" },
      });
      core.behave(answering(transaction({ details: told(["/Účet_2024//A&B\n", "5168**_1"]) })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries.map(({ details }) => details)).to.deep.equal([told([".Ucet.2024/.A.B ", "5168**.1"])]);
    });

    it("an unmasked card number, of which only the last four digits are shown (COBS 3.1.5.1)", async () => {
      core.behave(answering(transaction({ details: { references: { chequeNumber: "5168441234567890" } } })));
      const { entries } = await connected.bank.listTransactions(MAY);
      expect(entries[0]?.details).to.deep.equal({ references: { chequeNumber: "xxxxxxxxxxxx7890" } });
    });

    it("an empty page past the end, with the total count", async () => {
      core.behave(answering({ ...OF_A1, totalCount: 3, transactions: [] }));
      const past = { ...MAY, page: { page: 2, size: 2 } };
      expect(await connected.bank.listTransactions(past)).to.deep.equal({ entries: [], totalCount: 3 });
    });
  });

  it("belongs to a question that has all of its parameters in path and query", async () => {
    core.behave(answering({ ...OF_A1, totalCount: 0, transactions: [] }));
    const sort = [
      { field: "bookingDate", direction: "desc" },
      { field: "amount", direction: "asc" },
    ] as const;
    await connected.bank.listTransactions({ ...MAY, sort });
    const asked = core.asked.at(-1);
    expect(asked?.url).to.equal(
      "/psus/anna/accounts/a1/transactions?from=2026-04-30T22%3A00%3A00.000Z&before=2026-05-31T22%3A00%3A00.000Z" +
        "&currency=CZK&page=0&size=2&sort=bookingDate%3Adesc%2Camount%3Aasc",
    );
  });
});

function raw(body: string | Buffer, type = "application/json"): Behaviour {
  return (_, response) => void response.writeHead(200, { "Content-Type": type }).end(body);
}

function creditLine(value: string, currency: string, included: unknown = true) {
  return balance({ creditLine: { included, amount: { value, currency } } });
}

function inEuroOf(type: string) {
  return { ...SAMPLE_BALANCE, ...inEuro(), creditLine: null, type };
}

function inEuro() {
  return { amount: { value: "1.00", currency: "EUR" } };
}

function manyAccounts(count: number): readonly object[] {
  return Array.from({ length: count }, (_none, at) => ({ ...SAMPLE_ACCOUNT, id: `a${at}` }));
}
