/** One payment from its initiation to its end, by a TPP and a PSU who do not give up; records what the TPP was told. */
import { setTimeout as delay } from "node:timers/promises";
import type { DocumentedPsu } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { approveAsPsu } from "../../packages/sandbox/src/tpp/approve-as-psu.ts";
import { untouchedFields } from "../../packages/sandbox/src/tpp/consent-as-psu.ts";
import type { FormBrowser } from "../../packages/sandbox/src/tpp/form-browser.ts";
import { readHtmlPage } from "../../packages/sandbox/src/tpp/html-page.ts";
import { oneTimeCode } from "../../packages/sandbox/src/tpp/one-time-codes.ts";
import {
  callAndHangUp,
  callUntilAnswered,
  type PaymentAnswer,
  type PaymentCall,
  type PaymentCaller,
} from "./payment-calls.ts";
import type { Stage } from "./payment-moments.ts";
import { runSql } from "./run-sql.ts";

/** A PSU with a browser that may already be signed in. */
export interface Payer {
  readonly psu: DocumentedPsu;
  readonly browser: FormBrowser;
  /** Runs its works one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** What to pay, and how. */
export interface PaymentInput {
  readonly instructionIdentification: string;
  /** Haléře. No two payments of a round share their last two digits, by which the PSU recognises the message. */
  readonly minor: number;
  readonly isInstant: boolean;
  readonly hasKey: boolean;
  /** Whether the first answer to the initiation is lost after the payment was entered. */
  readonly isCut: boolean;
  /** Whether the TPP deletes it while the PSU approves. */
  readonly isDeleted: boolean;
}

/** Its outcome, as the TPP was told. */
export interface ToldPayment {
  readonly input: PaymentInput;
  readonly payer: Payer;
  readonly paymentId: string;
  /** `deleted`, or the last status. */
  readonly end: string;
}

const ENDS: readonly unknown[] = ["ACSC", "RJCT", "deleted"];
const END_LIMIT_MILLISECONDS = 120_000;
const POLL_MILLISECONDS = 250;
const STEP_MILLISECONDS = 30_000;
const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };
const PAYEE = "CZ6508000000192000145399";

/** Pays. Throws if an answer contradicts an earlier one, or no end comes in time. */
export async function pay(
  caller: PaymentCaller,
  payer: Payer,
  input: PaymentInput,
  reach: (stage: Stage) => void,
): Promise<ToldPayment> {
  reach("initiation");
  const { paymentId, signId } = await enter(caller, payer, input);
  const sign = `/my/payments/${paymentId}/sign/${signId}`;
  reach("start of the signing");
  const started = await callUntilAnswered(caller, { method: "POST", path: sign, body: REDIRECT });
  if (started.status !== 200) throw new Error(`the signing was not started: ${JSON.stringify(started)}`);
  const url = new URL(Object(started.json.href).url);
  reach("approval");
  const deletion = input.isDeleted ? deleteIt(caller, paymentId) : Promise.resolve();
  await Promise.all([deletion, approve(caller, payer, { input, paymentId, url })]);
  reach("confirmation");
  await callUntilAnswered(caller, { method: "PUT", path: sign, body: REDIRECT });
  reach("hand-over");
  await untilTold(caller, paymentId, [...ENDS, "ACSP"]);
  reach("settlement");
  return { input, payer, paymentId, end: await untilTold(caller, paymentId, ENDS) };
}

/** Repeats the same request, with the same key or none, until the payment's id is known. */
async function enter(
  caller: PaymentCaller,
  { psu }: Payer,
  input: PaymentInput,
): Promise<{ readonly paymentId: string; readonly signId: string }> {
  const { instructionIdentification } = input;
  const headers = input.hasKey ? { "idempotency-key": instructionIdentification } : {};
  const call: PaymentCall = { method: "POST", path: "/my/payments", body: orderOf(psu, input), headers };
  const isEntered = async () =>
    (await runSql(caller.document.databases.resource, ENTERED, [instructionIdentification])).length > 0;
  if (input.isCut) await callAndHangUp(caller, call, isEntered);
  const { status, json, unanswered } = await callUntilAnswered(caller, call);
  if (status === 200) return idsIn(json);
  const { errors } = json;
  const [fault] = Array.isArray(errors) ? errors : [];
  const isKnown = fault?.error === "AM05" && !input.hasKey && (unanswered > 0 || input.isCut);
  if (!isKnown) throw new Error(`the initiation was answered with ${status} ${JSON.stringify(json)}`);
  const path = `/my/payments/${fault.parameters.TRANSACTION_IDENTIFICATION}`;
  return idsIn((await callUntilAnswered(caller, { method: "GET", path })).json);
}

const ENTERED = "SELECT 1 FROM payment WHERE instruction_identification = $1";

function orderOf({ accounts }: DocumentedPsu, { instructionIdentification, minor, isInstant }: PaymentInput) {
  const iban = accounts.find(({ currency }) => currency === "CZK")?.iban;
  return {
    paymentIdentification: { instructionIdentification },
    paymentTypeInformation: { instructionPriority: isInstant ? "INST" : "NORM" },
    amount: { instructedAmount: { value: minor / 100, currency: "CZK" } },
    debtorAccount: { identification: { iban } },
    creditorAccount: { identification: { iban: PAYEE } },
  };
}

function idsIn(json: PaymentAnswer["json"]) {
  const { transactionIdentification, signInfo } = json;
  return { paymentId: String(transactionIdentification), signId: String(Object(signInfo).signId) };
}

/** Deletes it, unless it can no longer be deleted. */
async function deleteIt(caller: PaymentCaller, paymentId: string): Promise<void> {
  await callUntilAnswered(caller, { method: "DELETE", path: `/my/payments/${paymentId}` });
}

interface Approved {
  readonly input: PaymentInput;
  readonly paymentId: string;
  readonly url: URL;
}

/** Reopens the page until there is a decision, and asks for another code if none has come. */
async function approve(caller: PaymentCaller, payer: Payer, approved: Approved): Promise<void> {
  const { paymentId, url } = approved;
  const since = Date.now();
  const end = performance.now() + END_LIMIT_MILLISECONDS;
  let failure: unknown;
  while (performance.now() < end) {
    try {
      await payer.inTurn(() =>
        approveAsPsu(payer.browser, url, actsOf(caller, payer, { ...approved, since })),
      );
      return;
    } catch (error) {
      failure = error;
    }
    if (!/^AC[TW]C$/.test(await statusOf(caller, paymentId))) return;
    await payer.inTurn(() => askForAnotherCode(payer, url)).catch(() => undefined);
    await delay(POLL_MILLISECONDS);
  }
  throw new Error("nothing was decided in time", { cause: failure });
}

/** A code that was made when the process was killed may never have been sent. */
async function askForAnotherCode({ browser }: Payer, url: URL): Promise<void> {
  const visit = await browser.open(url);
  if (visit.kind === "returned") return;
  const form = readHtmlPage(visit.html).forms.find(({ action }) => action.endsWith("/code"));
  if (form !== undefined) await browser.submit(new URL(form.action, visit.url), untouchedFields(form));
}

function actsOf(
  { document, tpp }: PaymentCaller,
  { psu }: Payer,
  { input, since }: Approved & { readonly since: number },
) {
  const { username, password, psuId, totpSecret } = psu;
  const amount = new RegExp(`[.,]${String(input.minor % 100).padStart(2, "0")}(?!\\d)`);
  return {
    username,
    password,
    nextCode: async () => {
      await runSql(document.databases.auth, FORGET_CODE, [username]);
      return oneTimeCode(totpSecret, Math.floor(Date.now() / STEP_MILLISECONDS));
    },
    readMessage: async () => {
      const inbox = `${document.auth.browser}/sandbox/messages/${psuId}`;
      const options = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;
      const { messages }: { messages: readonly Message[] } = JSON.parse(
        await (await tpp.fetch(inbox, options)).text(),
      );
      const isMeant = ({ text, deliveredAt }: Message) =>
        Date.parse(deliveredAt) >= since && amount.test(text);
      return messages.find(isMeant)?.text ?? "";
    },
  };
}

interface Message {
  readonly text: string;
  readonly deliveredAt: string;
}

const FORGET_CODE = "UPDATE sandbox_psu SET last_step = 0 WHERE username = $1";

/** `deleted` if the payment is not found. */
async function statusOf(caller: PaymentCaller, paymentId: string): Promise<string> {
  const path = `/payments/${paymentId}/status`;
  const { status, json } = await callUntilAnswered(caller, { method: "GET", path });
  return status === 404 ? "deleted" : String(json.instructionStatus);
}

/** Whatever day it is, the bank's day of execution begins now. */
async function untilTold(
  caller: PaymentCaller,
  paymentId: string,
  wanted: readonly unknown[],
): Promise<string> {
  const end = performance.now() + END_LIMIT_MILLISECONDS;
  let told = "";
  while (performance.now() < end) {
    told = await statusOf(caller, paymentId);
    if (wanted.includes(told)) return told;
    for (const text of THE_DAY_COMES)
      await runSql(caller.document.databases.resource, text, [paymentId]).catch(() => undefined);
    await delay(POLL_MILLISECONDS);
  }
  throw new Error(`payment ${paymentId} is ${told} and stays so`);
}

const THE_DAY_COMES = [
  "UPDATE sandbox_order SET due_at = now() WHERE payment_id = $1 AND due_at > now() + interval '1 minute'",
  "UPDATE payment_outbox SET due_at = now() WHERE payment_id = $1 AND due_at > now() + interval '2 minutes'",
];
