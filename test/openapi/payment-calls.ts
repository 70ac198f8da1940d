/** Calls of payments, authorizations and balance checks that reach every status and code of theirs except those of the rim. */
import { openDatabase } from "@cobs/service-edge";
import { CARD_CHECK, checksAt, ibanOf, PAYMENT_CHECK, questionAbout } from "../conformance/balance-check.ts";
import { PAYMENTS, type PayingTpp, signingOf } from "../conformance/payments.ts";
import type { RunningResource } from "../resource/running-resource.ts";
import { EMPTY, HISTORY, MULTI_CURRENCY } from "../resource/small-movements.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";

/** Accounts whose state no call changes. */
const CLOSED = "psu-many-05";
const NO_PAYMENT_ACCOUNT = "psu-many-06";
const STEP = { authorizationType: "USERAGENT_REDIRECT" };
const TOO_LARGE = { padding: "a".repeat(70_000) };
const UNKNOWN = "0123456789abcdef0123456789abcdef";

const accountOf = (iban: string, currency?: string) => ({
  identification: { iban },
  ...(currency && { currency }),
});
const amountOf = (value: number, currency = "CZK") => ({ amount: { instructedAmount: { value, currency } } });
const bankOf = (identification: object) => ({
  creditorAgent: { financialInstitutionIdentification: identification },
});

const SEPA = {
  ...amountOf(99.9, "EUR"),
  paymentIdentification: { instructionIdentification: "sepa-1", endToEndIdentification: "NOTPROVIDED" },
  creditor: { name: "Beispiel GmbH", postalAddress: { country: "AT", addressLine: ["Musterweg 1"] } },
  creditorAccount: accountOf("AT611904300234573201"),
  ultimateDebtor: {
    name: "Karel Novak",
    identification: { privateIdentification: { other: { identification: "1", issuer: "OU Praha 2" } } },
  },
};
const NORM = { paymentTypeInformation: { instructionPriority: "NORM" } };
const INST = { paymentTypeInformation: { instructionPriority: "INST" } };
const INSIDE_EEA = {
  ...NORM,
  ...amountOf(500, "USD"),
  ...bankOf({ bic: "TESTDEFF" }),
  creditor: { name: "Muster AG" },
  creditorAccount: accountOf("DE89370400440532013000"),
};
const OUTSIDE_EEA = {
  ...NORM,
  ...amountOf(500, "USD"),
  ...bankOf({ bic: "TESTUS33", name: "Sample Bank" }),
  creditor: { name: "Sample Boat Inc.", postalAddress: { country: "US" } },
  creditorAccount: { identification: { other: { identification: "123456789" } } },
};
const CLEARED = {
  clearingSystemMemberIdentification: {
    clearingSystemIdentification: { code: "USABA" },
    memberIdentification: "x",
  },
};

/** Closes an account of the small bank, and makes another one not a payment account. */
export async function spoilAccounts({ config: { databaseUrl: url } }: RunningResource): Promise<void> {
  const { log } = readableLog();
  const options = { maxConnections: 1, applicationName: "test", log, timeLimits: PATIENT };
  const database = openDatabase({ url, ...options });
  for (const [what, account] of [
    ["closed_at = now()", CLOSED],
    ["is_payment_account = false", NO_PAYMENT_ACCOUNT],
  ])
    await database.run({
      name: `spoil ${account}`,
      text: `UPDATE sandbox_account SET ${what} WHERE account_id = $1`,
      values: [account],
    });
  await database.close();
}

/** Enters payments of every type, and one of them again. */
export async function enterPayments(tpp: PayingTpp): Promise<void> {
  const message = {
    unstructured: "Nájem",
    structured: { creditorReferenceInformation: { reference: ["VS:1"] } },
  };
  const order = tpp.order({ ...NORM, requestedExecutionDate: undefined, remittanceInformation: message });
  const headers = { "idempotency-key": "one", "x-request-id": "one", "action-id": "two" };
  for (let time = 0; time < 2; time += 1) await tpp.send("POST", PAYMENTS, order, { headers });
  await tpp.send("POST", PAYMENTS, tpp.order(), { headers });
  await tpp.send("POST", PAYMENTS, order);
  await tpp.pay({ ...SEPA, debtorAccount: accountOf(tpp.iban(MULTI_CURRENCY), "EUR") });
  for (const changed of [INSIDE_EEA, OUTSIDE_EEA]) await tpp.pay(changed);
}

/** Enters orders with every possible fault, as many per call as possible. */
export async function enterWrongly(tpp: PayingTpp): Promise<void> {
  const wrong: readonly object[] = [
    {
      ...amountOf(0),
      chargeBearer: "SHAR",
      requestedExecutionDate: "2020-01-02",
      debtorAccount: undefined,
      remittanceInformation: { unstructured: 5 },
      creditorAccount: accountOf("CZ7199000000192000000035"),
    },
    { ...amountOf(9_999_999_999_999), remittanceInformation: { unstructured: "a\u0000b" } },
    { creditorAccount: accountOf(tpp.iban()), debtorAccount: accountOf(tpp.iban(), "EUR") },
    { debtorAccount: accountOf(tpp.iban(), "EUR") },
    { debtorAccount: accountOf(ibanOf(CLOSED)) },
    { debtorAccount: accountOf(ibanOf(NO_PAYMENT_ACCOUNT)) },
    { ...INSIDE_EEA, ...amountOf(1, "XAU"), ...bankOf({ bic: "X" }), creditor: {} },
    { ...OUTSIDE_EEA, ...bankOf(CLEARED), ...INST },
    { ...INSIDE_EEA, ...INST },
    { ...SEPA, creditor: {} },
    { creditorAccount: accountOf(ibanOf(CLOSED)) },
    { ...NORM, requestedExecutionDate: "2999-01-04", remittanceInformation: { unstructured: "a & b" } },
  ];
  for (const changed of wrong) await tpp.send("POST", PAYMENTS, tpp.order(changed));
  for (const body of ["{", "[]", TOO_LARGE]) await tpp.send("POST", PAYMENTS, body);
}

/** Takes one payment from its entry to its execution. */
export async function approvePayment(tpp: PayingTpp, { auth }: RunningResource): Promise<void> {
  const paid = await tpp.start();
  const own = `${PAYMENTS}/${paid.paymentId}`;
  await tpp.call({ method: "POST", path: `${own}/sign` });
  await tpp.send("PUT", signingOf(paid), STEP);
  auth.signing.approve(paid.request.id);
  await tpp.untilStatus(paid.paymentId, "ACSC");
  await tpp.signStateOf(paid);
  for (const method of ["POST", "PUT"]) await tpp.send(method, signingOf(paid), STEP);
  await tpp.call({ method: "POST", path: `${own}/sign` });
  await tpp.call({ path: own });
  await tpp.call({ method: "DELETE", path: own });
}

/** Takes steps of an authorization that are refused. */
export async function stepWrongly(tpp: PayingTpp, { auth }: RunningResource): Promise<void> {
  const paid = await tpp.pay();
  const path = signingOf(paid);
  for (const method of ["POST", "PUT"])
    for (const body of [{}, "[]", { authorizationType: "SMS" }, { authorizationType: 5 }, TOO_LARGE])
      await tpp.send(method, path, body);
  for (const redirectUrl of [5, "https://evil.example/"])
    await tpp.send("POST", path, { ...STEP, redirectUrl });
  const refusal = { error: "application_unknown", error_description: "no" };
  auth.signing.write = () => ({ status: 400, body: JSON.stringify(refusal) });
  await tpp.send("POST", path, STEP);
  auth.signing.write = (right) => right;
  const other = signingOf({ ...paid, signId: UNKNOWN });
  await tpp.call({ path: other });
  for (const method of ["POST", "PUT"]) await tpp.send(method, other, STEP);
  await tpp.call({ method: "DELETE", path: `${PAYMENTS}/${paid.paymentId}` });
  const refused = await tpp.start();
  auth.signing.refuse(refused.request.id);
  await tpp.untilStatus(refused.paymentId, "RJCT");
  for (const method of ["POST", "PUT"]) await tpp.send(method, signingOf(refused), STEP);
}

/** Calls for payments that do not exist. */
export async function askForUnknown(tpp: PayingTpp): Promise<void> {
  const own = `${PAYMENTS}/${UNKNOWN}`;
  await tpp.statusOf(UNKNOWN);
  await tpp.call({ path: own });
  await tpp.call({ method: "DELETE", path: own });
  await tpp.call({ method: "POST", path: `${own}/sign` });
  const path = signingOf({ paymentId: UNKNOWN, signId: UNKNOWN });
  await tpp.call({ path });
  for (const method of ["POST", "PUT"]) await tpp.send(method, path, STEP);
}

/** Asks correct and wrong balance checks, until there are too many. */
export async function checkBalances(resource: RunningResource): Promise<void> {
  const checks = checksAt(resource);
  for (const account of [HISTORY, EMPTY, CLOSED, NO_PAYMENT_ACCOUNT]) checks.agree(account);
  const sumOf = (totalAmount: number, currency = "CZK") => ({
    transactionDetails: { currency, totalAmount },
  });
  const foreign = { debtorAccount: accountOf("CZ6508000000192000145399") };
  for (const [place, path] of [PAYMENT_CHECK, CARD_CHECK].entries()) {
    const question = questionAbout(HISTORY, { exchangeIdentification: 4711 + place });
    const wrong = [
      {},
      {
        ...question,
        ...sumOf(0),
        authenticationMethod: "PINS",
        debtorAccount: accountOf(ibanOf(HISTORY), "crowns"),
      },
      questionAbout(HISTORY, { exchangeIdentification: "č", debtorAccount: accountOf("CZ00") }),
      questionAbout(HISTORY, { exchangeIdentification: "a*", card: { maskedPan: "none" }, merchant: {} }),
      questionAbout(HISTORY, { debtorAccount: accountOf(ibanOf(HISTORY), "USD") }),
      questionAbout(CLOSED),
      questionAbout(NO_PAYMENT_ACCOUNT),
      questionAbout(HISTORY, sumOf(1, "JPY")),
      questionAbout(HISTORY, foreign),
    ];
    for (const body of [question, question, ...wrong, "[]", TOO_LARGE]) await checks.ask(path, body);
    for (let sum = 1; sum <= 11; sum += 1) await checks.ask(path, questionAbout(EMPTY, sumOf(sum)));
  }
}
