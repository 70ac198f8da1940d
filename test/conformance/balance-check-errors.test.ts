import { openDatabase } from "@cobs/service-edge";
import { expect } from "chai";
import type { TestCall } from "../resource/resource-calls.ts";
import { EMPTY, FOREIGN, HISTORY } from "../resource/small-movements.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";
import { type ExpectedError, expectErrors } from "./account-information.ts";
import {
  CARD_CHECK,
  type CheckedResource,
  ibanOf,
  PAYMENT_CHECK,
  questionAbout,
  runChecks,
} from "./balance-check.ts";

const CLOSED = "psu-many-05";
const NO_PAYMENT_ACCOUNT = "psu-many-06";
const IBAN = "debtorAccount.identification.iban";
const AMOUNT = "transactionDetails.totalAmount";

type Row = readonly [
  what: string,
  body: object | string,
  status: number,
  errors: readonly ExpectedError[],
  call?: TestCall,
];

const amountOf = (totalAmount: unknown, currency: unknown = "CZK") => ({
  transactionDetails: { currency, totalAmount },
});
const about = (changed: Readonly<Record<string, unknown>>) => questionAbout(HISTORY, changed);
const accountOf = (iban: string, currency?: string) => ({
  debtorAccount: { identification: { iban }, ...(currency && { currency }) },
});

/** Rows of the tables of errors (COBS 3.2.3, 3.3.3) that R4 and R13 share. */
const ROWS: readonly Row[] = [
  [
    "no certificate",
    about({}),
    401,
    [{ error: "UNAUTHORISED", parameters: { CERTIFICATE: "certificate_absent" } }],
    { certificate: null },
  ],
  ["outside the licence", about({}), 403, [{ error: "FORBIDDEN" }], { certificate: "aisp" }],
  ["a body that is not JSON", "{", 400, [{ error: "FF01" }]],
  ["a body that is not UTF-8", Buffer.from('{"x":"\xe8"}', "latin1"), 400, [{ error: "FF01" }]],
  ["a member twice", '{"card":null,"card":null}', 400, [{ error: "FF01" }]],
  ["a body that is not an object", "[]", 400, [{ error: "FF01" }]],
  [
    "an empty object",
    {},
    400,
    [
      { error: "FIELD_MISSING", scope: "exchangeIdentification" },
      { error: "FIELD_MISSING", scope: "debtorAccount" },
      { error: "FIELD_MISSING", scope: "transactionDetails" },
    ],
  ],
  [
    "a merchant without an identification",
    about({ merchant: { shortName: "K", commonName: "K", merchantCategoryCode: "5192" } }),
    400,
    [{ error: "FIELD_MISSING", scope: "merchant.identification" }],
  ],
  [
    "an unknown authentication method",
    about({ authenticationMethod: "PINS" }),
    400,
    [{ error: "FIELD_INVALID", scope: "authenticationMethod" }],
  ],
  [
    "an identification that is too long",
    about({ exchangeIdentification: "1".repeat(19) }),
    400,
    [{ error: "FIELD_INVALID", scope: "exchangeIdentification" }],
  ],
  [
    "characters that are not permitted",
    about({ exchangeIdentification: "č1" }),
    400,
    [{ error: "RR10", scope: "exchangeIdentification" }],
  ],
  [
    "a character that the database does not have",
    about({ exchangeIdentification: "a\u0000b" }),
    400,
    [{ error: "RR10", scope: "exchangeIdentification" }],
  ],
  ["an invalid IBAN", about(accountOf("CZ00")), 400, [{ error: "AC02", scope: IBAN }]],
  ["a closed account", questionAbout(CLOSED), 400, [{ error: "AC02", scope: IBAN }]],
  [
    "a currency that the account is not kept in",
    about(accountOf(ibanOf(HISTORY), "EUR")),
    400,
    [{ error: "AC09", scope: "debtorAccount.currency" }],
  ],
  [
    "a malformed currency",
    about(accountOf(ibanOf(HISTORY), "crowns")),
    400,
    [{ error: "AC09", scope: "debtorAccount.currency" }],
  ],
  [
    "an account that is no payment account",
    questionAbout(NO_PAYMENT_ACCOUNT),
    400,
    [{ error: "AC12", scope: IBAN }],
  ],
  [
    "a currency that the bank does not trade",
    about(amountOf(1, "JPY")),
    400,
    [{ error: "AM11", scope: "transactionDetails.currency" }],
  ],
  [
    "a non-payment account in a wrong currency, with an amount in an untraded currency",
    questionAbout(NO_PAYMENT_ACCOUNT, {
      ...accountOf(ibanOf(NO_PAYMENT_ACCOUNT), "EUR"),
      ...amountOf(1, "JPY"),
    }),
    400,
    [{ error: "AC12", scope: IBAN }],
  ],
  [
    "a currency that the account is not kept in, with an amount in an untraded currency",
    about({ ...accountOf(ibanOf(HISTORY), "EUR"), ...amountOf(1, "JPY") }),
    400,
    [{ error: "AC09", scope: "debtorAccount.currency" }],
  ],
  ["an amount of zero", about(amountOf(0)), 400, [{ error: "AM12", scope: AMOUNT }]],
  ["a negative amount", about(amountOf(-1)), 400, [{ error: "AM12", scope: AMOUNT }]],
  ["more decimals than the currency has", about(amountOf(1.001)), 400, [{ error: "AM12", scope: AMOUNT }]],
  ["an amount as text", about(amountOf("1")), 400, [{ error: "FIELD_INVALID", scope: AMOUNT }]],
  ["an account without a consent", about(accountOf(ibanOf(FOREIGN))), 403, [{ error: "AG01", scope: IBAN }]],
  [
    "an unknown account, refused alike",
    about(accountOf("CZ6508000000192000145399")),
    403,
    [{ error: "AG01", scope: IBAN }],
  ],
  [
    "an account without a consent, before any other fault (1.2.10.1)",
    { debtorAccount: { identification: { iban: ibanOf(FOREIGN) } } },
    403,
    [{ error: "AG01", scope: IBAN }],
  ],
  [
    "several faults at once",
    about({ ...amountOf(0), ...accountOf(ibanOf(HISTORY), "x"), exchangeIdentification: "č", card: {} }),
    400,
    [
      { error: "RR10", scope: "exchangeIdentification" },
      { error: "FIELD_MISSING", scope: "card.maskedPan" },
      { error: "AC09", scope: "debtorAccount.currency" },
      { error: "AM12", scope: AMOUNT },
    ],
  ],
  [
    "a User-Involved that is neither true nor false, with another fault",
    about(amountOf(0)),
    400,
    [
      { error: "PARAMETER_INVALID", scope: "User-Involved" },
      { error: "AM12", scope: AMOUNT },
    ],
    { headers: { "user-involved": "maybe" } },
  ],
  [
    "such a User-Involved, with a body that is not JSON",
    "{",
    400,
    [{ error: "PARAMETER_INVALID", scope: "User-Involved" }, { error: "FF01" }],
    { headers: { "user-involved": "maybe" } },
  ],
  [
    "a body that is not JSON",
    "x",
    415,
    [{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Content-Type" }],
    { headers: { "content-type": "text/plain" } },
  ],
  [
    "an Accept without JSON",
    about({}),
    415,
    [{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Accept" }],
    { headers: { accept: "text/html" } },
  ],
];

for (const [name, path] of [
  ["R4", PAYMENT_CHECK],
  ["R13", CARD_CHECK],
] as const) {
  describe(`COBS 2.0, 3.2.3 and 3.3.3 errors of ${name}`, function errors() {
    this.timeout(120_000);
    let checks: CheckedResource;
    before(async () => {
      checks = await runChecks();
      for (const account of [HISTORY, EMPTY, CLOSED, NO_PAYMENT_ACCOUNT]) checks.agree(account);
      await change("closed_at = now()", CLOSED);
      await change("is_payment_account = false", NO_PAYMENT_ACCOUNT);
    });
    after(() => checks.resource.stop());

    async function change(what: string, account: string): Promise<void> {
      const { databaseUrl: url } = checks.resource.config;
      const { log } = readableLog();
      const options = { maxConnections: 1, applicationName: "test", log, timeLimits: PATIENT };
      const database = openDatabase({ url, ...options });
      const text = `UPDATE sandbox_account SET ${what} WHERE account_id = $1`;
      await database.run({ name: "change", text, values: [account] });
      await database.close();
    }

    for (const [what, body, status, errors, call] of ROWS) {
      it(`${what}: ${status} ${errors.map(({ error }) => error).join(" ")}`, async () => {
        expectErrors(await checks.ask(path, body, call), status, ...errors);
      });
    }

    it("a repeated identification: 400 RF01, beside other faults, and also as a number (A-74)", async () => {
      const first = questionAbout(EMPTY, { exchangeIdentification: 4711 });
      expect((await checks.ask(path, first)).status).to.equal(200);
      const repeated = { error: "RF01", scope: "exchangeIdentification" };
      for (const again of [first, questionAbout(HISTORY, { exchangeIdentification: "4711" })])
        expectErrors(await checks.ask(path, again), 400, repeated);
      const faulty = { ...first, ...amountOf(0) };
      expectErrors(await checks.ask(path, faulty), 400, repeated, { error: "AM12", scope: AMOUNT });
    });

    it("a repeated identification, however its number is written (A-74): 400 RF01", async () => {
      const asked = (number: string) =>
        JSON.stringify(questionAbout(EMPTY, { exchangeIdentification: "number" })).replace(
          '"number"',
          number,
        );
      expect((await checks.ask(path, asked("723456789012345678"))).status).to.equal(200);
      const repeated = { error: "RF01", scope: "exchangeIdentification" };
      for (const again of ["723456789012345678.0", "7.23456789012345678e17", '"723456789012345678"'])
        expectErrors(await checks.ask(path, asked(again)), 400, repeated);
    });

    it("an identification of a refused question: may be used again", async () => {
      const question = questionAbout(HISTORY, amountOf(1, "JPY"));
      expectErrors(await checks.ask(path, question), 400, {
        error: "AM11",
        scope: "transactionDetails.currency",
      });
      expect((await checks.ask(path, { ...question, ...amountOf(1) })).status).to.equal(200);
    });

    it("a wrong header with a right body: 400 PARAMETER_INVALID, and the question can be asked again (1.2.10.1)", async () => {
      const question = questionAbout(HISTORY);
      const headers = { "user-involved": "maybe" };
      const refused = { error: "PARAMETER_INVALID", scope: "User-Involved" };
      expectErrors(await checks.ask(path, question, { headers }), 400, refused);
      expect((await checks.ask(path, question)).status).to.equal(200);
    });

    it("a database failure: 503 NARR, and the same question is answered afterwards", async () => {
      const question = questionAbout(EMPTY);
      const { database } = checks.resource;
      await database.cut();
      const failed = await checks.ask(path, question);
      expectErrors(failed, 503, { error: "NARR" });
      expect(failed.headers["retry-after"]).to.match(/^\d+$/);
      await database.mend();
      const { status } = await checks.ask(path, question);
      expect(status).to.equal(200);
    });
  });
}

describe("COBS 2.0, 3.2.3 errors of R4 about its token", () => {
  let checks: CheckedResource;
  before(async () => {
    checks = await runChecks();
  });
  after(() => checks.resource.stop());

  const askWith = (token: string | undefined) =>
    checks.ask(PAYMENT_CHECK, questionAbout(HISTORY), {
      headers: { authorization: token === undefined ? "" : `Bearer ${token}` },
    });

  it("a missing or unknown token: 401 UNAUTHORISED", async () => {
    for (const token of [undefined, "unknown"])
      expectErrors(await askWith(token), 401, { error: "UNAUTHORISED" });
  });

  it("a token for account information: 403 FORBIDDEN", async () => {
    const token = checks.resource.giveToken("all-roles");
    expectErrors(await askWith(token), 403, { error: "FORBIDDEN" });
  });

  it("a token whose consent no longer includes payments: 403 AG01", async () => {
    const token = checks.resource.giveToken("all-roles", { scope: "pisp", consented_services: [] });
    expectErrors(await askWith(token), 403, { error: "AG01" });
  });
});
