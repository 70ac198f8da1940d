/**
 * The payment of the demo: a small amount between two PSUs of the sandbox, instant so that it works at once and at any hour.
 * It owns the way from initiation to the entry in the list; the demo itself gets the consent.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxDocument } from "../../sandbox-folder/sandbox-document.ts";
import type { ApiAccess } from "../call-resource.ts";
import { type CommandContext, masked, type PlayedPsus, requirePsu } from "../command.ts";
import type { FormBrowser } from "../form-browser.ts";
import { listTransactions, presentTransactions, type TransactionList } from "../list-transactions.ts";
import { paymentBody } from "../payment-body.ts";
import { openPaymentsApi, type PaymentsApi } from "../payments-api.ts";
import { meaningOf, whyRejected } from "../present-payment.ts";
import { signAsPsu } from "../sign-as-psu.ts";
import { signPayment } from "../sign-payment.ts";
import { TppRefusal } from "../tpp-refusal.ts";

type OwnAccount = SandboxDocument["psus"][number]["accounts"][number];

/** The accounts of the payment. */
export interface DemoAccounts {
  readonly payer: OwnAccount;
  readonly payee: OwnAccount;
}

/** Who pays in the demo, and with which access. */
export interface DemoPayment extends DemoAccounts {
  readonly access: ApiAccess;
  readonly username: string;
  readonly returnUrl: string;
  /** The browser in which the PSU has signed in. */
  readonly browser: FormBrowser;
  readonly note: (step: string, sent: string, outcome: string) => void;
}

/** An executed payment, and the list of transactions that shows it. */
export interface ExecutedPayment {
  readonly paymentId: string;
  readonly instructionStatus: string;
  readonly transactions: TransactionList;
}

const AMOUNT = "1.50";
const CURRENCY = "CZK";
const LISTED = "10";
const LIMIT_MILLISECONDS = 30_000;
const PAUSE_MILLISECONDS = 100;

/** An account in crowns of the PSU, and one of another; undefined if there are none. */
export function findDemoAccounts(sandbox: PlayedPsus, username: string): DemoAccounts | undefined {
  const payer = accountInCrowns(requirePsu(sandbox, username));
  const others = sandbox.psus.filter((psu) => psu.username !== username);
  const payee = others.map(accountInCrowns).find((account) => account !== undefined);
  return payer && payee && { payer, payee };
}

/**
 * Enters a payment, has it approved and waits until it is booked. Refuses with `refused` if the bank rejects it or does not
 * execute it in time.
 */
export async function payInDemo(context: CommandContext, paying: DemoPayment): Promise<ExecutedPayment> {
  const payments = openPaymentsApi(paying.access);
  const paymentId = await enter(payments, paying);
  await approve(context, payments, { ...paying, paymentId });
  return showBooked(payments, { ...paying, paymentId });
}

function accountInCrowns({ accounts }: SandboxDocument["psus"][number]): OwnAccount | undefined {
  return accounts.find(({ currency }) => currency === CURRENCY);
}

async function enter(payments: PaymentsApi, { note, access, payer, payee }: DemoPayment): Promise<string> {
  const terms = { amount: AMOUNT, currency: CURRENCY, priority: "INST", message: "Demo" };
  const payment = await payments.initiate(paymentBody({ from: payer.iban, to: payee.iban, ...terms }));
  const { transactionIdentification, instructionStatus, signInfo } = payment;
  note(
    "The TPP enters a payment",
    `POST ${access.resourceBase}/my/payments, ${AMOUNT} ${CURRENCY} from ${payer.iban} to ${payee.iban}, instant`,
    `200, payment ${transactionIdentification}, ${instructionStatus}: ${meaningOf(instructionStatus)}; authorization ${signInfo.signId ?? ""} ${signInfo.state}`,
  );
  return transactionIdentification;
}

async function approve(
  context: CommandContext,
  payments: PaymentsApi,
  { note, username, returnUrl, browser, paymentId }: DemoPayment & { readonly paymentId: string },
): Promise<void> {
  const send = async (url: URL) => {
    note(
      "The TPP asks where to send the PSU",
      `POST ${context.sandbox.resourceBase}/my/payments/${paymentId}/sign/{signId}, USERAGENT_REDIRECT`,
      `200, ${url.origin}/sign/${masked(url.pathname.split("/").at(-1) ?? "")}`,
    );
    await signAsPsu(context, { url, returnUrl, username, browser });
  };
  const { state } = await signPayment(payments, { paymentId, returnUrl, send });
  note(
    `The PSU ${username} sees the whole order and approves it`,
    "POST the bank's form: the code that the bank sent to the PSU for this order alone",
    `The TPP asks how it ended: ${state}`,
  );
}

async function showBooked(
  payments: PaymentsApi,
  booking: DemoPayment & { readonly paymentId: string },
): Promise<ExecutedPayment> {
  const { access, payer, paymentId } = booking;
  const options = { size: LISTED, currency: CURRENCY };
  const end = performance.now() + LIMIT_MILLISECONDS;
  while (performance.now() < end) {
    const instructionStatus = await payments.status(paymentId);
    if (instructionStatus === "RJCT")
      throw new TppRefusal("refused", `the bank rejected the payment ${paymentId}`, whyRejected(paymentId));
    const transactions = await listTransactions(access, payer.id, options);
    if (instructionStatus === "ACSC" && shows(transactions, paymentId)) {
      booking.note(
        "The bank has executed it, and it is in the list of transactions",
        `GET ${access.resourceBase}/payments/${paymentId}/status, and the transactions of the account`,
        `200, ${instructionStatus}: ${meaningOf(instructionStatus)}\n\n${presentTransactions(transactions)}`,
      );
      return { paymentId, instructionStatus, transactions };
    }
    await delay(PAUSE_MILLISECONDS);
  }
  throw new TppRefusal("refused", `the bank has not executed the payment ${paymentId}`);
}

function shows({ transactions }: TransactionList, paymentId: string): boolean {
  return transactions.some(({ entryReference, status }) => entryReference === paymentId && status === "BOOK");
}
