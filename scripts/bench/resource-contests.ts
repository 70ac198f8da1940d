/** Compares resource in admission alone, and in each document of account information from the sandbox bank. */
import { parseAccountId, parsePsuId, readAccountListQuery } from "@cobs/cobs-model";
import { createLog, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { startOfRecentHistory } from "../../packages/resource/src/accounts/history-bound.ts";
import type { Bank } from "../../packages/resource/src/bank/bank.ts";
import { openSandboxBank } from "../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import type { Contender, Contest, PlannedContest } from "./contest.ts";
import { baselineTls, type ContestParts } from "./contest-parts.ts";
import { environmentBeside } from "./environment-beside.ts";
import type { RequestOrder, Target } from "./load/load-order.ts";
import { preparePaymentContest } from "./payment-contest.ts";

const BASE = "/cobs/2.0/my/accounts";
const AT_ONCE = 64;
const PAGE_SIZE = 100;

/** One call: its path, and the matching question to the sandbox bank. */
interface Question {
  readonly name: string;
  readonly goal: number;
  readonly operation: string;
  readonly path: string;
  readonly ask: (bank: Bank) => Promise<unknown>;
}

/** A call of the ready application, with its token for account information. */
export function requestOf({ bank }: ContestParts, target: Target, path: string): RequestOrder {
  const { host } = new URL(bank.resource.origin);
  const token = bank.document.readyApplication.tokens.aisp;
  const headers = { host, authorization: `Bearer ${token}`, accept: "application/json" };
  return { kind: "requests", target, method: "GET", path, headers, body: null, status: 200 };
}

/** Asks once, before anything is measured. */
async function answerTo({ load }: ContestParts, order: RequestOrder): Promise<string> {
  return (await load({ order, milliseconds: 0, most: 1, atOnce: 1 })).lastBody;
}

/** Starts a baseline under the same load; refuses one whose answer has other bytes than ours. */
async function startBaseline(
  parts: ContestParts,
  order: RequestOrder,
  { name, module, settings }: { readonly name: string; readonly module: string; readonly settings: object },
): Promise<Contender> {
  const body = await answerTo(parts, order);
  const tls = await baselineTls(parts.bank);
  const { pid, port } = await parts.processes.startBaseline(module, {
    tls,
    port: 0,
    status: 200,
    body,
    ...settings,
  });
  const theirs = { ...order, target: { ...order.target, origin: `https://localhost:${port}` } };
  if ((await answerTo(parts, theirs)) !== body) throw new TypeError(`${name} answers with different bytes`);
  return { name, pid, order: theirs };
}

/** The statement that the sandbox bank runs for a question, with its values. */
async function statementOf({ bank }: ContestParts, { ask }: Question): Promise<Statement> {
  const database = openDatabase({
    url: new Secret(bank.document.databases.resource),
    maxConnections: 1,
    applicationName: "bench",
    log: createLog("bench", "error"),
  });
  const statements: Statement[] = [];
  try {
    await ask(
      openSandboxBank({
        ...database,
        run: (statement) => {
          statements.push(statement);
          return database.run(statement);
        },
      }),
    );
  } finally {
    await database.close();
  }
  const [statement] = statements;
  if (statement === undefined || statements.length > 1) throw new TypeError("a call must be one statement");
  const values = statement.values.map((value) => (typeof value === "bigint" ? String(value) : value));
  return { ...statement, values };
}

/** Finds the PSU's account with the longest page of transactions, and the questions about it. */
async function gatherQuestions(parts: ContestParts): Promise<readonly Question[]> {
  const { document } = parts.bank;
  const person = document.psus.find(({ username }) => username === document.readyApplication.psu);
  if (person === undefined) throw new TypeError("nobody has consented");
  const pages: { id: string; path: string; length: number }[] = [];
  for (const { id } of person.accounts) {
    const path = `${BASE}/${id}/transactions?size=${PAGE_SIZE}`;
    const { length } = await answerTo(parts, requestOf(parts, parts.bank.resource, path));
    pages.push({ id, path, length });
  }
  const [longest] = pages.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) throw new TypeError("the PSU has no account");
  const psu = parsePsuId(person.psuId);
  const of = { psu, account: parseAccountId(longest.id), currency: undefined };
  const all = { psu, accounts: person.accounts.map(({ id }) => parseAccountId(id)), language: "cs" as const };
  const from = startOfRecentHistory(new Date());
  return [
    {
      name: "resource/accounts",
      goal: 0.85,
      operation: "list of accounts",
      path: BASE,
      ask: (bank) => bank.listAccounts({ ...all, query: readAccountListQuery(new URLSearchParams()).query }),
    },
    {
      name: "resource/balance",
      goal: 0.85,
      operation: "balances of an account",
      path: `${BASE}/${longest.id}/balance`,
      ask: (bank) => bank.balancesOf(of),
    },
    {
      name: "resource/transactions",
      goal: 0.85,
      operation: `page of ${PAGE_SIZE} transactions`,
      path: longest.path,
      ask: (bank) =>
        bank.listTransactions({
          ...of,
          from,
          before: undefined,
          sort: [],
          page: { page: 0, size: PAGE_SIZE },
        }),
    },
  ];
}

async function prepareQuestion(parts: ContestParts, question: Question): Promise<Contest> {
  const { document, resource } = parts.bank;
  const order = requestOf(parts, resource, question.path);
  const settings = {
    databaseUrl: document.databases.resource,
    statement: await statementOf(parts, question),
  };
  const { name, goal, operation } = question;
  return {
    name,
    goal,
    operation,
    ours: { name: "resource", pid: document.processes.resource, order },
    baselines: [
      await startBaseline(parts, order, { name: "bare Koa, the same SQL", module: "koa-same-sql", settings }),
      await startBaseline(parts, order, {
        name: "bare Node https, no SQL",
        module: "bare-https",
        settings: {},
      }),
    ],
    atOnce: AT_ONCE,
  };
}

const ANY_PORTS = { MUTUAL_TLS_PORT: "0", BANK_PORT: "0", OPERATOR_PORT: "0" };

async function prepareAdmission(parts: ContestParts): Promise<Contest> {
  const { document, resource } = parts.bank;
  const environment = { ...environmentBeside(document.processes.resource), ...ANY_PORTS };
  const { pid, port } = await parts.processes.startService("resource-at-once", environment);
  const order = requestOf(parts, { ...resource, origin: `https://localhost:${port}` }, BASE);
  return {
    name: "resource/admission",
    goal: 0.8,
    operation: "admitted call that is answered at once",
    ours: { name: "resource, admission alone", pid, order },
    baselines: [
      await startBaseline(parts, order, { name: "bare Koa", module: "bare-koa", settings: {} }),
      await startBaseline(parts, order, { name: "bare Node https", module: "bare-https", settings: {} }),
    ],
    atOnce: AT_ONCE,
  };
}

/** Plans the contests; the account to ask about is found once for all of them. */
export function planResourceContests(): readonly PlannedContest[] {
  let gathered: ReturnType<typeof gatherQuestions> | undefined;
  const planQuestion = (name: Question["name"]): PlannedContest => ({
    name,
    prepare: async (parts) => {
      gathered ??= gatherQuestions(parts);
      const question = (await gathered).find((each) => each.name === name);
      if (question === undefined) throw new TypeError(`nothing is asked for ${name}`);
      return prepareQuestion(parts, question);
    },
  });
  return [
    { name: "resource/admission", prepare: prepareAdmission },
    ...["resource/accounts", "resource/balance", "resource/transactions"].map(planQuestion),
    { name: "resource/payment", prepare: preparePaymentContest },
  ];
}
