import { expect } from "chai";
import type { TestCall } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, MULTI_CURRENCY } from "../resource/small-movements.ts";
import { eventually } from "../support/eventually.ts";
import { type ExpectedError, expectErrors } from "./account-information.ts";
import { openPayingTpp, PAYEE_IBAN, PAYMENTS, type PayingTpp, signingOf } from "./payments.ts";

const UNKNOWN = "0123456789abcdef0123456789abcdef";
const AT_DEBTOR = "debtorAccount.identification.iban";
const AT_CREDITOR = "creditorAccount.identification.iban";
const AT_AMOUNT = "amount.instructedAmount.value";
const AT_BIC = "creditorAgent.financialInstitutionIdentification.bic";
const NORM = { paymentTypeInformation: { instructionPriority: "NORM" } };
const AUSTRIAN = { creditorAccount: { identification: { iban: "AT611904300234573201" } } };
const GERMAN = { creditorAccount: { identification: { iban: "DE89370400440532013000" } } };
const EUR = { amount: { instructedAmount: { value: 99.9, currency: "EUR" } } };
const USD = { amount: { instructedAmount: { value: 500, currency: "USD" } } };
const SEPA = {
  ...NORM,
  ...EUR,
  ...AUSTRIAN,
  paymentIdentification: { instructionIdentification: "sepa-1", endToEndIdentification: "NOTPROVIDED" },
  creditor: { name: "Beispiel GmbH" },
};
const INSIDE_EEA = {
  ...NORM,
  ...USD,
  ...GERMAN,
  creditorAgent: { financialInstitutionIdentification: { bic: "TESTDEFF" } },
  creditor: { name: "Muster AG" },
};
const OUTSIDE_EEA = {
  ...NORM,
  ...USD,
  creditorAgent: { financialInstitutionIdentification: { bic: "TESTUS33" } },
  creditor: { name: "Sample Boat Inc.", postalAddress: { country: "US" } },
  creditorAccount: { identification: { other: { identification: "123456789" } } },
};

const iban = (text: string) => ({ identification: { iban: text } });
const amount = (value: unknown, currency = "CZK") => ({ amount: { instructedAmount: { value, currency } } });

describe("refusals of R5 to R12 (COBS 3.2.4 to 3.2.11)", () => {
  let resource: RunningResource;
  let tpp: PayingTpp;
  before(async () => {
    resource = await runResource();
    tpp = await openPayingTpp(resource);
  });
  after(() => resource.stop());

  type Row = readonly [what: string, changed: () => object, errors: readonly ExpectedError[]];
  const ROWS: readonly Row[] = [
    [
      "an empty payment, all faults together",
      () => ({ paymentIdentification: undefined, debtorAccount: undefined, creditorAccount: undefined }),
      [
        { error: "FIELD_MISSING", scope: "paymentIdentification" },
        { error: "FIELD_MISSING", scope: "debtorAccount" },
        { error: "FIELD_MISSING", scope: "creditorAccount" },
      ],
    ],
    [
      "a field of another type",
      () => ({ remittanceInformation: { unstructured: 5 } }),
      [{ error: "FIELD_INVALID", scope: "remittanceInformation.unstructured" }],
    ],
    [
      "a payer's IBAN with wrong digits",
      () => ({ debtorAccount: iban("CZ0099000000002000000018") }),
      [{ error: "AC02", scope: AT_DEBTOR }],
    ],
    [
      "an account of another person",
      () => ({ debtorAccount: iban(PAYEE_IBAN), creditorAccount: iban(tpp.iban()) }),
      [{ error: "AC02", scope: AT_DEBTOR }],
    ],
    [
      "an account that the PSU does not have, beside another fault",
      () => ({ debtorAccount: iban("CZ3708000000192000145399"), ...amount(0) }),
      [
        { error: "AC02", scope: AT_DEBTOR },
        { error: "AM12", scope: AT_AMOUNT },
      ],
    ],
    [
      "a currency that the account is not kept in, beside another fault",
      () => ({ debtorAccount: { ...iban(tpp.iban()), currency: "EUR" }, ...amount(0) }),
      [
        { error: "AC10", scope: "debtorAccount.currency" },
        { error: "AM12", scope: AT_AMOUNT },
      ],
    ],
    [
      "one of the account's currencies, beside another fault",
      () => ({ debtorAccount: { ...iban(tpp.iban(MULTI_CURRENCY)), currency: "EUR" }, ...amount(0) }),
      [{ error: "AM12", scope: AT_AMOUNT }],
    ],
    [
      "a malformed currency, told once",
      () => ({ debtorAccount: { ...iban(tpp.iban()), currency: "eur" }, ...amount(0) }),
      [
        { error: "FIELD_INVALID", scope: "debtorAccount.currency" },
        { error: "AM12", scope: AT_AMOUNT },
      ],
    ],
    [
      "an unknown payee's account at this bank",
      () => ({ creditorAccount: iban("CZ7199000000192000000034") }),
      [{ error: "AC03", scope: AT_CREDITOR }],
    ],
    [
      "a currency that the account is not kept in",
      () => ({ debtorAccount: { ...iban(tpp.iban()), currency: "EUR" } }),
      [{ error: "AC10", scope: "debtorAccount.currency" }],
    ],
    [
      "a currency that the bank does not pay in",
      () => ({ ...INSIDE_EEA, ...amount(1, "XAU") }),
      [
        {
          error: "AM11",
          scope: "amount.instructedAmount.currency",
          parameters: { CURRENCY_ALLOWED: ["CZK", "EUR", "USD", "GBP", "PLN", "CHF"] },
        },
      ],
    ],
    ["an amount of zero", () => amount(0), [{ error: "AM12", scope: AT_AMOUNT }]],
    ["three decimals (PAY-11)", () => amount(1.005), [{ error: "AM12", scope: AT_AMOUNT }]],
    ["an amount as text", () => amount("1.5"), [{ error: "FIELD_INVALID", scope: AT_AMOUNT }]],
    [
      "an amount in this program's internal form",
      () => amount({ exactNumber: "1.5" }),
      [{ error: "FIELD_INVALID", scope: AT_AMOUNT }],
    ],
    [
      "a charge bearer in a domestic payment",
      () => ({ chargeBearer: "SHAR" }),
      [{ error: "BE19", scope: "chargeBearer" }],
    ],
    [
      "a day in the past",
      () => ({ requestedExecutionDate: "2020-01-02" }),
      [{ error: "DT01", scope: "requestedExecutionDate", parameters: { DATE: "DATE_TO_OLD" } }],
    ],
    [
      "an invalid BIC",
      () => ({ ...INSIDE_EEA, creditorAgent: { financialInstitutionIdentification: { bic: "X" } } }),
      [{ error: "RC07", scope: AT_BIC }],
    ],
    [
      "a payee of a foreign payment without a name",
      () => ({ ...INSIDE_EEA, creditor: {} }),
      [{ error: "RR03", scope: "creditor.name" }],
    ],
    [
      "an IBAN as people write it, beside what a payment to its country lacks (A-60)",
      () => ({ ...NORM, ...USD, creditorAccount: iban("de89 3704 0044 0532 0130 00") }),
      [
        { error: "FIELD_INVALID", scope: AT_CREDITOR },
        { error: "FIELD_MISSING", scope: "creditorAgent" },
        { error: "FIELD_MISSING", scope: "creditor" },
      ],
    ],
    [
      "characters that are not permitted",
      () => ({ remittanceInformation: { unstructured: "a\u0000b" } }),
      [{ error: "RR10", scope: "remittanceInformation.unstructured" }],
    ],
    [
      "a priority that is not offered outside the EEA",
      () => ({ ...OUTSIDE_EEA, paymentTypeInformation: { instructionPriority: "INST" } }),
      [
        {
          error: "NO_PART",
          scope: "paymentTypeInformation.instructionPriority",
          parameters: { ALLOWED_PRIORITY_TYPES: ["NORM"] },
        },
      ],
    ],
    [
      "a payment to the payer",
      () => ({ creditorAccount: iban(tpp.iban()) }),
      [{ error: "REC_SEND", scope: AT_CREDITOR }],
    ],
  ];
  for (const [what, changed, errors] of ROWS)
    it(`R5: ${what}: ${errors.map(({ error }) => error).join(", ")} (COBS 3.2.4)`, async () => {
      expectErrors(await tpp.send("POST", PAYMENTS, tpp.order(changed())), 400, ...errors);
    });

  it("R5: a body that is not JSON: FF01; a body of another media type: 415", async () => {
    expectErrors(await tpp.send("POST", PAYMENTS, '{"a":'), 400, { error: "FF01" });
    expectErrors(await tpp.send("POST", PAYMENTS, "[]"), 400, { error: "FF01" });
    const inWindows1250 = Buffer.from(
      JSON.stringify(tpp.order({ creditor: { name: "Jan Nov\u00e1k" } })),
      "latin1",
    );
    const notUtf8 = await tpp.send("POST", PAYMENTS, inWindows1250);
    expectErrors(notUtf8, 400, { error: "FF01" });
    expect(JSON.parse(notUtf8.body).errors[0].message).to.equal("the body is not UTF-8");
    const headers = { "content-type": "text/plain" };
    const scope = "Content-Type";
    expectErrors(await tpp.send("POST", PAYMENTS, "x", { headers }), 415, {
      error: "UNSUPPORTED_MEDIA_TYPE",
      scope,
    });
  });

  it("R5, R12: no body, as clients of the COBS OpenAPI send none in R12: FF01 (A-13, A-48)", async () => {
    const { paymentId, signId } = await tpp.pay();
    for (const [method, path] of [
      ["POST", PAYMENTS],
      ["PUT", signingOf({ paymentId, signId })],
    ] as const)
      expectErrors(await tpp.call({ method, path }), 400, { error: "FF01" });
  });

  it("R5: an overlong number instead of an object: FIELD_INVALID, as the whole body: FF01 (A-70)", async () => {
    const long = "9".repeat(20);
    const order = JSON.stringify(tpp.order({ initiatingParty: "LONG", amount: "LONG" }));
    expectErrors(
      await tpp.send("POST", PAYMENTS, order.replaceAll('"LONG"', long)),
      400,
      { error: "FIELD_INVALID", scope: "initiatingParty" },
      { error: "FIELD_INVALID", scope: "amount" },
    );
    expectErrors(await tpp.send("POST", PAYMENTS, long), 400, { error: "FF01" });
  });

  it("R5: a body that is not JSON beside wrong headers: all told together (1.2.10.1)", async () => {
    const headers = { "user-involved": "maybe", "idempotency-key": "two words" };
    expectErrors(
      await tpp.send("POST", PAYMENTS, '{"a":', { headers }),
      400,
      { error: "PARAMETER_INVALID", scope: "User-Involved" },
      { error: "FIELD_INVALID", scope: "Idempotency-Key" },
      { error: "FF01" },
    );
  });

  it("R5: an invalid clearing code: RC10", async () => {
    const creditorAgent = {
      financialInstitutionIdentification: {
        clearingSystemMemberIdentification: {
          clearingSystemIdentification: { code: "USABA" },
          memberIdentification: "x",
        },
      },
    };
    const answer = await tpp.send("POST", PAYMENTS, tpp.order({ ...OUTSIDE_EEA, creditorAgent }));
    const scope = "creditorAgent.financialInstitutionIdentification.clearingSystemMemberIdentification";
    expectErrors(answer, 400, { error: "RC10", scope });
  });

  it("R5: a token whose consent no longer includes payments: AG01 (A-63), also with a slash at the end (A-45)", async () => {
    const lost = await openPayingTpp(resource, "aisp-pisp", { consented_services: ["aisp"] });
    for (const path of [PAYMENTS, `${PAYMENTS}/`])
      expectErrors(await lost.send("POST", path, lost.order()), 403, { error: "AG01" });
  });

  it("R5: an account outside a consent that names accounts: AC02", async () => {
    const some = await openPayingTpp(resource, "aisp-pisp", { account_ids: [EMPTY] });
    const answer = await some.send("POST", PAYMENTS, some.order());
    expectErrors(answer, 400, { error: "AC02", scope: AT_DEBTOR });
    const words = "the PSU has no such account, or this consent does not cover it";
    const another = { debtorAccount: iban(PAYEE_IBAN), creditorAccount: iban(some.iban()) };
    const unknown = await some.send("POST", PAYMENTS, { ...some.order(), ...another });
    for (const { body } of [answer, unknown]) expect(JSON.parse(body).errors[0].message).to.equal(words);
    expectErrors(
      await some.send("POST", PAYMENTS, some.order(amount(0))),
      400,
      { error: "AM12", scope: AT_AMOUNT },
      { error: "AC02", scope: AT_DEBTOR },
    );
    await some.pay({ debtorAccount: iban(some.iban(EMPTY)) });
  });

  it("R5: two idempotency keys: PARAMETER_INVALID, beside other faults", async () => {
    const headers = { "idempotency-key": ["one", "two"] };
    expectErrors(
      await tpp.send("POST", PAYMENTS, tpp.order(amount(0)), { headers }),
      400,
      { error: "PARAMETER_INVALID", scope: "Idempotency-Key" },
      { error: "AM12", scope: AT_AMOUNT },
    );
  });

  it("R5: a wrong header on a call sent again: PARAMETER_INVALID and AM05, no repeated answer (1.2.10.1)", async () => {
    const [order, key] = [tpp.order(), { "idempotency-key": "key-of-errors" }];
    const [first, again] = [
      await tpp.send("POST", PAYMENTS, order, { headers: key }),
      await tpp.send("POST", PAYMENTS, order, { headers: key }),
    ];
    expect([first.status, again.body]).to.deep.equal([200, first.body]);
    const { transactionIdentification: TRANSACTION_IDENTIFICATION } = JSON.parse(first.body);
    const headers = { ...key, "user-involved": "maybe" };
    expectErrors(
      await tpp.send("POST", PAYMENTS, order, { headers }),
      400,
      { error: "PARAMETER_INVALID", scope: "User-Involved" },
      {
        error: "AM05",
        scope: "paymentIdentification.instructionIdentification",
        parameters: { TRANSACTION_IDENTIFICATION },
      },
    );
  });

  it("R5: an idempotency key with other characters: FIELD_INVALID, beside other faults", async () => {
    const headers = { "idempotency-key": "two words" };
    const answer = await tpp.send("POST", PAYMENTS, tpp.order(amount(0)), { headers });
    expectErrors(
      answer,
      400,
      { error: "FIELD_INVALID", scope: "Idempotency-Key" },
      { error: "AM12", scope: AT_AMOUNT },
    );
  });

  for (const [what, changed] of [
    ["a SEPA payment", () => ({ ...SEPA, debtorAccount: iban(tpp.iban(MULTI_CURRENCY)) })],
    ["a foreign payment inside the EEA", () => INSIDE_EEA],
    ["a foreign payment outside the EEA", () => OUTSIDE_EEA],
    ["a domestic payment", () => NORM],
  ] as const)
    it(`R5: no refusal of ${what} (COBS chapter 5)`, async () => {
      await tpp.pay(changed());
    });

  const STEP = { authorizationType: "USERAGENT_REDIRECT" };
  type Foreign = readonly [
    what: string,
    method: string,
    path: string,
    body: object | undefined,
    code: string,
  ];
  const pathsOf = (paymentId: string, signId: string): readonly Foreign[] => [
    ["R6", "GET", `/cobs/2.0/payments/${paymentId}/status`, undefined, "TRANSACTION_MISSING"],
    ["R7", "GET", `${PAYMENTS}/${paymentId}`, undefined, "TRANSACTION_MISSING"],
    ["R8", "DELETE", `${PAYMENTS}/${paymentId}`, undefined, "TRANSACTION_MISSING"],
    ["R9", "POST", `${PAYMENTS}/${paymentId}/sign`, undefined, "TRANSACTION_MISSING"],
    ["R10", "GET", signingOf({ paymentId, signId }), undefined, "ID_NOT_FOUND"],
    ["R11", "POST", signingOf({ paymentId, signId }), STEP, "ID_NOT_FOUND"],
    ["R12", "PUT", signingOf({ paymentId, signId }), STEP, "ID_NOT_FOUND"],
  ];
  const ask = (as: PayingTpp, [, method, path, body]: Foreign, call: TestCall = {}) =>
    body === undefined ? as.call({ ...call, method, path }) : as.send(method, path, body, call);

  for (const [what, rows] of [
    ["unknown", pathsOf(UNKNOWN, UNKNOWN)],
    ["malformed", pathsOf("payment", "sign")],
    ["not storable as text", pathsOf("a%00b", "a%00b")],
  ] as const)
    for (const row of rows)
      it(`${row[0]}: ids that are ${what}: ${row[4]} (COBS 3.2.5 to 3.2.11)`, async () => {
        expectErrors(await ask(tpp, row), 404, { error: row[4], scope: "paymentId" });
      });

  for (const [place, unknown] of pathsOf(UNKNOWN, UNKNOWN).entries())
    it(`${unknown[0]}: a wrong header: ${unknown[4]} for an unknown payment, else PARAMETER_INVALID (1.2.10.1)`, async () => {
      const wrong = { headers: { "user-involved": "maybe" } };
      expectErrors(await ask(tpp, unknown, wrong), 404, { error: unknown[4], scope: "paymentId" });
      const paid = await tpp.pay();
      const known = pathsOf(paid.paymentId, paid.signId)[place] ?? unknown;
      expectErrors(await ask(tpp, known, wrong), 400, { error: "PARAMETER_INVALID", scope: "User-Involved" });
      expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    });

  it("R7 to R12 by another PSU, R6 to R12 by another TPP: as for an unknown payment (COBS 3.2.5 to 3.2.11)", async () => {
    const paid = await tpp.pay();
    const otherPsu = await openPayingTpp(resource, "aisp-pisp", { sub: "psu-one" });
    const otherTpp = await openPayingTpp(resource, "second-tpp");
    for (const row of pathsOf(paid.paymentId, paid.signId)) {
      const expected = { error: row[4], scope: "paymentId" };
      expectErrors(await ask(otherTpp, row), 404, expected);
      if (row[0] !== "R6") expectErrors(await ask(otherPsu, row), 404, expected);
    }
  });

  it("R8, R9: an executed payment: TRANSACTION_MISSING, and only its TPP is told why (A-64)", async () => {
    const paid = await tpp.start();
    resource.auth.signing.approve(paid.request.id);
    await tpp.untilStatus(paid.paymentId, "ACSC");
    const stranger = await openPayingTpp(resource, "second-tpp");
    const rows = pathsOf(paid.paymentId, paid.signId).slice(2, 4);
    for (const [place, done] of ["deleted", "signed"].entries()) {
      const row = rows[place];
      if (row === undefined) throw new Error("there is no such row");
      const [own, foreign] = [await ask(tpp, row), await ask(stranger, row)];
      for (const answer of [own, foreign])
        expectErrors(answer, 404, { error: "TRANSACTION_MISSING", scope: "paymentId" });
      const [told, hidden] = [own, foreign].map(({ body }) => JSON.parse(body).errors[0].message);
      expect(told).to.match(new RegExp(`^this payment can no longer be ${done}: it was approved`));
      expect(hidden).to.equal("there is no such payment of this TPP");
    }
    expect(await tpp.statusOf(paid.paymentId)).to.equal("ACSC");
  });

  it("R10 to R12: an authorization of another payment: ID_NOT_FOUND at signId", async () => {
    const [one, other] = [await tpp.pay(), await tpp.pay()];
    for (const row of pathsOf(one.paymentId, other.signId).slice(4))
      expectErrors(await ask(tpp, row), 404, { error: "ID_NOT_FOUND", scope: "signId" });
  });

  for (const row of pathsOf(UNKNOWN, UNKNOWN)) {
    it(`${row[0]}: no certificate or no valid token: UNAUTHORISED; outside the licence: FORBIDDEN`, async () => {
      const parameters = { CERTIFICATE: "certificate_absent" };
      expectErrors(await ask(tpp, row, { certificate: null }), 401, { error: "UNAUTHORISED", parameters });
      const unknown = { authorization: "Bearer unknown" };
      expectErrors(await ask(tpp, row, { headers: unknown }), 401, { error: "UNAUTHORISED" });
      expectErrors(await ask(tpp, row, { certificate: "aisp" }), 403, { error: "FORBIDDEN" });
    });
  }

  describe("the steps of signing", () => {
    it("R11, R12: no method: FIELD_MISSING; another method: AUTH_LIMIT_EXCEEDED", async () => {
      const path = signingOf(await tpp.pay());
      const scope = "authorizationType";
      for (const method of ["POST", "PUT"]) {
        expectErrors(await tpp.send(method, path, {}), 400, { error: "FIELD_MISSING", scope });
        const sms = await tpp.send(method, path, { authorizationType: "SMS" });
        expectErrors(sms, 400, { error: "AUTH_LIMIT_EXCEEDED", scope });
      }
    });

    it("R11, R12: several faults of a step: all told together (1.2.10.1)", async () => {
      const path = signingOf(await tpp.pay());
      const headers = { "user-involved": "maybe" };
      const inHeader = { error: "PARAMETER_INVALID", scope: "User-Involved" };
      const inMethod = { error: "AUTH_LIMIT_EXCEEDED", scope: "authorizationType" };
      const inUrl = { error: "FIELD_INVALID", scope: "redirectUrl" };
      for (const [method, ...told] of [
        ["POST", inMethod, inUrl],
        ["PUT", inMethod],
      ] as const) {
        const step = { authorizationType: "SMS", redirectUrl: 5 };
        expectErrors(await tpp.send(method, path, step, { headers }), 400, inHeader, ...told);
        expectErrors(await tpp.send(method, path, "{", { headers }), 400, inHeader, { error: "FF01" });
      }
    });

    it("R12: a redirectUrl, which it does not have: ignored (3.2.11)", async () => {
      const path = signingOf(await tpp.pay());
      for (const redirectUrl of [5, {}, "https://evil.example/", "x".repeat(2_048)]) {
        const { status, body } = await tpp.send("PUT", path, { ...STEP, redirectUrl });
        expect(status, body).to.equal(200);
        expect(JSON.parse(body)).to.deep.include({ state: "OPEN" });
      }
    });

    it("R11, R12: a body that is not JSON for an unknown payment: ID_NOT_FOUND (1.3.1, 1.2.10.1)", async () => {
      const path = signingOf({ paymentId: UNKNOWN, signId: UNKNOWN });
      for (const method of ["POST", "PUT"])
        expectErrors(await tpp.send(method, path, "{"), 404, { error: "ID_NOT_FOUND", scope: "paymentId" });
    });

    it("R11: an unregistered return URL: FIELD_INVALID at redirectUrl (A-51)", async () => {
      const path = signingOf(await tpp.pay());
      const refused = { error: "FIELD_INVALID", scope: "redirectUrl" };
      const elsewhere = await tpp.send("POST", path, { ...STEP, redirectUrl: "https://evil.example/" });
      expectErrors(elsewhere, 400, refused);
      expect(elsewhere.body).to.contain("only its query may differ, in the characters of RFC 3986");
      expectErrors(await tpp.send("POST", path, { ...STEP, redirectUrl: 5 }), 400, refused);
    });

    it("R11: an unregistered return URL beside another fault: the other fault alone (A-51)", async () => {
      const path = signingOf(await tpp.pay());
      const scope = "authorizationType";
      const redirectUrl = "https://evil.example/";
      const sms = await tpp.send("POST", path, { authorizationType: "SMS", redirectUrl });
      expectErrors(sms, 400, { error: "AUTH_LIMIT_EXCEEDED", scope });
      expectErrors(await tpp.send("POST", path, { redirectUrl }), 400, { error: "FIELD_MISSING", scope });
    });

    it("R5: a payment sent again with a further fault: both told together (AM05, A-62)", async () => {
      const order = tpp.order();
      const entered = await tpp.send("POST", PAYMENTS, order);
      const { transactionIdentification } = JSON.parse(entered.body);
      const again = await tpp.send("POST", PAYMENTS, { ...order, requestedExecutionDate: "2020-01-02" });
      expectErrors(
        again,
        400,
        { error: "DT01", scope: "requestedExecutionDate", parameters: { DATE: "DATE_TO_OLD" } },
        {
          error: "AM05",
          scope: "paymentIdentification.instructionIdentification",
          parameters: { TRANSACTION_IDENTIFICATION: transactionIdentification },
        },
      );
      const others = { paymentIdentification: { instructionIdentification: "a\u0000" } };
      expectErrors(await tpp.send("POST", PAYMENTS, tpp.order(others)), 400, {
        error: "RR10",
        scope: "paymentIdentification.instructionIdentification",
      });
    });

    it("R11, R12: a refused authorization: AUTH_LIMIT_EXCEEDED, and R9: TRANSACTION_MISSING, while R6 and R7 still tell of it (COBS 3.2.10, 3.2.11)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.refuse(paid.request.id);
      const over = { error: "AUTH_LIMIT_EXCEEDED", scope: "signId" };
      const path = signingOf(paid);
      await eventually(async () => (await tpp.signStateOf(paid)) === "REJECT");
      expectErrors(await tpp.send("POST", path, STEP), 400, over);
      expectErrors(await tpp.send("PUT", path, STEP), 400, over);
      expectErrors(await tpp.call({ method: "POST", path: `${PAYMENTS}/${paid.paymentId}/sign` }), 404, {
        error: "TRANSACTION_MISSING",
        scope: "paymentId",
      });
      expect(await tpp.statusOf(paid.paymentId)).to.equal("RJCT");
      expect((await tpp.call({ path: `${PAYMENTS}/${paid.paymentId}` })).status).to.equal(200);
    });

    it("R11: a signed authorization: AUTH_LIMIT_EXCEEDED, and R10 still says DONE (COBS 3.2.10)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.approve(paid.request.id);
      await eventually(async () => (await tpp.signStateOf(paid)) === "DONE");
      const over = { error: "AUTH_LIMIT_EXCEEDED", scope: "signId" };
      const again = await tpp.send("POST", signingOf(paid), STEP);
      expectErrors(again, 400, over);
      expect(JSON.parse(again.body).errors[0].message).to.contain("signed already");
      expect(await tpp.signStateOf(paid)).to.equal("DONE");
    });

    it("R11: more certificates than auth notes for one authorization: AUTH_LIMIT_EXCEEDED, and it stays open", async () => {
      const { signing } = resource.auth;
      const paid = await tpp.start();
      const refusal = { error: "certificates_used_up", error_description: "no" };
      signing.write = () => ({ status: 400, body: JSON.stringify(refusal) });
      const again = await tpp.send("POST", signingOf(paid), STEP);
      signing.write = (right) => right;
      expectErrors(again, 400, { error: "AUTH_LIMIT_EXCEEDED", scope: "signId" });
      expect(JSON.parse(again.body).errors[0].message).to.contain("too many certificates");
      expect(await tpp.signStateOf(paid)).to.equal("OPEN");
    });

    it("R11: an authorization refused at auth, not yet known here: AUTH_LIMIT_EXCEEDED, then REJECT", async () => {
      const { signing } = resource.auth;
      const paid = await tpp.start();
      signing.tells = false;
      signing.refuse(paid.request.id);
      signing.tells = true;
      const over = { error: "AUTH_LIMIT_EXCEEDED", scope: "signId" };
      expectErrors(await tpp.send("POST", signingOf(paid), STEP), 400, over);
      expect(await tpp.signStateOf(paid)).to.equal("REJECT");
    });

    const AUTH_FAILURES: readonly (readonly [
      what: string,
      answer: { status: number; body: string } | undefined,
    ])[] = [
      ["is silent", undefined],
      ["fails", { status: 500, body: "{}" }],
      ["delivers no codes", { status: 501, body: '{"error":"signing_off"}' }],
      ["answers what cannot be read", { status: 201, body: "{}" }],
    ];
    for (const [what, answer] of AUTH_FAILURES)
      it(`R11: while auth ${what}: 503, and the same authorization can be started afterwards`, async () => {
        const paid = await tpp.pay();
        resource.auth.signing.write = () => answer;
        const failed = await tpp.send("POST", signingOf(paid), STEP);
        resource.auth.signing.write = (right) => right;
        expectErrors(failed, 503, { error: "NARR" });
        const again = await tpp.send("POST", signingOf(paid), STEP);
        expect([again.status, again.body.includes(paid.signId)]).to.deep.equal([200, true]);
      });
  });
});
