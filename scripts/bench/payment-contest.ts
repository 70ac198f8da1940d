/** Compares resource in entering a payment, from body to answer, with a baseline that runs the same statements. */
import { parsePsuId } from "@cobs/cobs-model";
import { createLog, type Database, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { openSandboxBank } from "../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { requireOrder } from "../../packages/resource/src/initiation/require-order.ts";
import { createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import { sampleTerms } from "../../test/resource/payments/sample-payments.ts";
import type { Contest } from "./contest.ts";
import { baselineTls, type ContestParts } from "./contest-parts.ts";
import { NUMBER, type RequestOrder } from "./load/load-order.ts";

const PAYEE_IBAN = "CZ6508000000192000145399";
const AT_ONCE = 64;
/** Our processor time may exceed the baseline's by at most a quarter. */
const GOAL = 0.8;

interface Payer {
  readonly psuId: string;
  readonly iban: string;
}

function payerOf({ bank: { document } }: ContestParts): Payer {
  const person = document.psus.find(({ username }) => username === document.readyApplication.psu);
  const [account] = person?.accounts ?? [];
  if (person === undefined || account === undefined) throw new TypeError("nobody can pay");
  return { psuId: person.psuId, iban: account.iban };
}

function orderBody({ iban }: Payer, number: string) {
  return {
    paymentIdentification: { instructionIdentification: `BENCH-${number}` },
    amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
    debtorAccount: { identification: { iban } },
    creditorAccount: { identification: { iban: PAYEE_IBAN } },
    remittanceInformation: { unstructured: "bench" },
  };
}

function requestOf({ bank }: ContestParts, payer: Payer): RequestOrder {
  const { resource: target, document } = bank;
  const headers = {
    host: new URL(target.origin).host,
    authorization: `Bearer ${document.readyApplication.tokens.pisp}`,
    accept: "application/json",
    "content-type": "application/json",
  };
  const body = JSON.stringify(orderBody(payer, NUMBER));
  return {
    kind: "requests",
    target,
    method: "POST",
    path: "/cobs/2.0/my/payments",
    headers,
    body,
    status: 200,
  };
}

/** Requests that enter payments of the ready application, each with its own identification. */
export function paymentRequest(parts: ContestParts): RequestOrder {
  return requestOf(parts, payerOf(parts));
}

/** Records the statements that run, and rejects transactions: the baseline would have to use one too. */
function noting(database: Database, statements: Statement[]): Database {
  return {
    ...database,
    run: (statement) => {
      statements.push(statement);
      return database.run(statement);
    },
    transaction: () => Promise.reject(new TypeError("a payment is entered without a transaction")),
  };
}

/** Enters one payment as resource does, and returns its statements. */
async function statementsOf(database: Database, payer: Payer) {
  const statements: Statement[] = [];
  const noted = noting(database, statements);
  const now = new Date();
  const input = { body: orderBody(payer, "NOTED"), faults: [], now };
  const of = { psu: parsePsuId(payer.psuId), accounts: [] };
  const { order, account, fee, plan } = await requireOrder(openSandboxBank(noted), of, input);
  const terms = sampleTerms({
    order,
    account,
    psu: of.psu,
    executionDate: plan.executionDate,
    ...(fee && { fee }),
  });
  const entry = { signId: createSignId(), idempotency: undefined };
  await createPaymentStore(noted).enter(terms, entry, { now, requestId: "noted" });
  return { unique: [terms.id, entry.signId, order.instructionIdentification], statements };
}

async function noteStatements(url: string, payer: Payer) {
  const log = createLog("bench", "error");
  const database = openDatabase({ url: new Secret(url), maxConnections: 1, applicationName: "bench", log });
  try {
    return await statementsOf(database, payer);
  } finally {
    await database.close();
  }
}

export async function preparePaymentContest(parts: ContestParts): Promise<Contest> {
  const { bank, load, processes } = parts;
  const payer = payerOf(parts);
  const order = requestOf(parts, payer);
  const { lastBody: body } = await load({ order, milliseconds: 0, most: 1, atOnce: 1 });
  const databaseUrl = bank.document.databases.resource;
  const noted = await noteStatements(databaseUrl, payer);
  const settings = { tls: await baselineTls(bank), port: 0, databaseUrl, body, ...noted };
  const { pid, port } = await processes.startBaseline("koa-payment", settings);
  const theirs = { ...order, target: { ...order.target, origin: `https://localhost:${port}` } };
  return {
    name: "resource/payment",
    goal: GOAL,
    operation: "payment entered",
    ours: { name: "resource", pid: bank.document.processes.resource, order },
    baselines: [{ name: "bare Koa, the same statements", pid, order: theirs }],
    atOnce: AT_ONCE,
  };
}
