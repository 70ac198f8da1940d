import { CoreUnavailable } from "../bank/core-unavailable.ts";
import {
  askAccounts,
  askBalances,
  askTransactions,
  type CoreQuestion,
} from "../bank/http-connector/core-questions.ts";
import { askFunds, askInspection, askProgress } from "../bank/http-connector/order-questions.ts";
import { type KitCheck, requireSo } from "./kit-check.ts";
import { findOrderOfType, newPaymentId } from "./kit-order.ts";
import { BEGINNING, type KitScene, NEWEST } from "./kit-scene.ts";
import { requireProblem } from "./problem.ts";

const AT_ONCE = 50;
/** Statuses with which a stranger may be refused; nginx says 400 when a client certificate cannot be verified. */
const TURNED_AWAY: readonly number[] = [400, 401, 403];

/** Queries for transactions that the contract does not allow; `{from}` stands for a valid start. */
const MALFORMED: readonly string[] = [
  "",
  "from=yesterday",
  "from=2026-02-30T00:00:00.000Z",
  "from=2026-01-01",
  "{from}&before=tomorrow",
  "{from}&size=0",
  "{from}&size=101",
  "{from}&size=ten",
  "{from}&page=-1",
  "{from}&page=1.5",
  "{from}&sort=colour:asc",
  "{from}&sort=amount:up",
  "{from}&currency=crowns",
  "{from}&currency=czk",
  "{from}&page=0&page=1",
];

/** Checks how a core system is reached, and what it must cope with (clause 1). */
export const CONNECTION_CHECKS: readonly KitCheck[] = [
  {
    clause: "1.1",
    title: "A caller without a certificate, or with one of another authority, learns nothing",
    show: async ({ core, psu }) => {
      const { path } = askAccounts(psu);
      const statuses: number[] = [];
      for (const shows of ["nothing", "own certificate"] as const) {
        const sent = core.sendAsStranger(path, shows);
        const answer = await sent.catch(refusedInHandshake);
        const status = answer?.status ?? 0;
        requireSo(
          status === 0 || TURNED_AWAY.includes(status),
          `a caller who shows ${shows} was answered with ${status}, not refused in the handshake or with one of ${TURNED_AWAY.join(", ")}`,
          answer,
        );
        statuses.push(status);
      }
      // The same question with the right certificate must work: a 400 above could otherwise be about the question.
      const held = await core.send(path);
      requireSo(
        held.status === 200,
        `with --certificate, the same question was answered with ${held.status}`,
        held,
      );
      return statuses
        .map((status) => (status === 0 ? "the connection is refused" : `refused with ${status}`))
        .join("; ");
    },
  },
  {
    clause: "1.4",
    title: "A question that breaks the contract is refused with 400 request_malformed",
    show: async (scene) => {
      const { account } = await scene.history();
      const base = `/psus/${scene.psu}/accounts/${account.id}/transactions`;
      for (const query of MALFORMED) {
        const asked = query.replace("{from}", `from=${BEGINNING.toISOString()}`);
        const answer = await scene.core.send(`${base}?${asked}`);
        requireProblem(answer, { status: 400, code: "request_malformed", of: `${base}?${asked}` });
      }
      return `${MALFORMED.length} questions refused`;
    },
  },
  {
    clause: "1.5",
    title: `${AT_ONCE} simultaneous questions are answered like a single one, each in time`,
    show: async (scene) => {
      const { account } = await scene.history();
      const first = await askThree(scene, account.id);
      const all = await Promise.all(Array.from({ length: AT_ONCE }, () => askThree(scene, account.id)));
      requireSo(
        all.every((answers) => answers === first),
        "simultaneous answers differ from a single one",
      );
      return `${AT_ONCE * 3} answers alike`;
    },
  },
  {
    clause: "1.6",
    title: "Each answer names what it was asked about, also among simultaneous questions",
    show: async (scene) => {
      const questions = await questionsAboutOthers(scene);
      await Promise.all(questions.map((question) => scene.core.ask(question)));
      return `${questions.length} answers`;
    },
  },
];

const ASKED_ABOUT_ACCOUNTS = 5;

/**
 * Every kind of question about somebody, each about several PSUs or accounts. The connector's check of answers compares the
 * names.
 */
async function questionsAboutOthers(scene: KitScene): Promise<readonly CoreQuestion<unknown>[]> {
  const { psu, otherPsu } = scene;
  const own = (await scene.accounts()).slice(0, ASKED_ABOUT_ACCOUNTS);
  const terms = await scene.terms();
  const psus = otherPsu === undefined ? [psu] : [psu, otherPsu];
  return [
    ...psus.map((each) => askAccounts(each)),
    ...own.flatMap((account) => {
      const { id, iban, currency } = account;
      const of = { psu, account: id, currency: undefined };
      const page = { page: 0, size: 1 };
      const order = findOrderOfType("domestic", account, terms);
      const amount = { minor: 100n, currency };
      return [
        askBalances(of),
        askTransactions({ ...NEWEST, ...of, page }),
        ...(order === undefined ? [] : [askInspection({ psu, accounts: [id], order })]),
        askFunds({ psu, accounts: [id], iban, currency, amount }),
        askProgress(newPaymentId()),
      ];
    }),
  ];
}

type AskedAccount = Parameters<typeof askBalances>[0]["account"];

/** The answers to the three questions, as one text to compare. */
async function askThree({ core, psu }: KitScene, account: AskedAccount): Promise<string> {
  const of = { psu, account, currency: undefined };
  const page = { page: 0, size: 10 };
  const answers = await Promise.all([
    core.ask(askAccounts(psu)),
    core.ask(askBalances(of)),
    core.ask(askTransactions({ ...NEWEST, ...of, page })),
  ]);
  return comparable(answers);
}

/** Answers as text, without the time of a balance, which changes with each answer. */
function comparable(answers: unknown): string {
  return JSON.stringify(answers, (name, value: unknown) => {
    if (name === "at") return undefined;
    return typeof value === "bigint" ? String(value) : value;
  });
}

function refusedInHandshake(error: unknown): undefined {
  if (error instanceof CoreUnavailable && error.code === "core_unreachable") return undefined;
  throw error;
}
