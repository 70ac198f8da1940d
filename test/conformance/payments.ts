import { randomUUID } from "node:crypto";
import { bankDayOf } from "@cobs/cobs-model";
import { expect } from "chai";
import { runSql } from "../journeys/run-sql.ts";
import type { RunningResource, TestCall } from "../resource/running-resource.ts";
import { HISTORY } from "../resource/small-movements.ts";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import type { TestSigningRequest } from "../support/test-signing.ts";

/** The path of R5. */
export const PAYMENTS = "/cobs/2.0/my/payments";
/** An account of another bank. */
export const PAYEE_IBAN = "CZ6508000000192000145399";
const STEP_MILLISECONDS = 250;
/** What failed is tried again after half a second, and later each time; a sweep comes after thirty seconds. */
const MOST_AHEAD_MILLISECONDS = 15_000;

/** The bank of the sandbox has a clock of its own, which may come to the day of the server's clock a moment later. */
const THE_DAY_COMES = "UPDATE sandbox_order SET due_at = now() WHERE due_at > now()";

/** A payment as a TPP knows it from R5. */
export interface PaidAnswer {
  readonly paymentId: string;
  readonly signId: string;
  readonly answer: RawAnswer;
}

/** A TPP with a token for payments alone, at a resource server. */
export interface PayingTpp {
  readonly token: string;
  /** The IBAN of an account of the PSU, the one with a history unless another is named. */
  iban(account?: string): string;
  /** An instant domestic payment that nobody has anything against, with some members changed. */
  order(changed?: object): Record<string, unknown>;
  call(call: TestCall): Promise<RawAnswer>;
  /** Sends a body, as JSON unless it is a text or bytes. */
  send(method: string, path: string, body?: unknown, call?: TestCall): Promise<RawAnswer>;
  /** Enters a payment. */
  pay(changed?: object): Promise<PaidAnswer>;
  /** Enters a payment, and starts its authorization. */
  start(changed?: object): Promise<PaidAnswer & { readonly request: TestSigningRequest }>;
  statusOf(paymentId: string): Promise<string>;
  untilStatus(paymentId: string, status: string): Promise<void>;
  /**
   * Waits until something is so. The server's clock goes on meanwhile, as far as what a busy machine let fail once is tried
   * again by it, and not as far as the next sweep.
   */
  until(isSo: () => Promise<boolean>): Promise<void>;
  /** What R10 says. */
  signStateOf(paid: Pick<PaidAnswer, "paymentId" | "signId">): Promise<string>;
}

/** Opens one for the PSU with many accounts. */
export async function openPayingTpp(
  resource: RunningResource,
  certificate = "aisp-pisp",
  changes: Readonly<Record<string, unknown>> = {},
): Promise<PayingTpp> {
  const payments = { scope: "pisp", consented_services: ["pisp"], account_ids: [] };
  const token = resource.giveToken(certificate, { ...payments, ...changes });
  const listed = await resource.call({
    token: resource.giveToken(),
    path: "/cobs/2.0/my/accounts?size=100",
    headers: { "tpp-name": "A bank may require it" },
  });
  const { accounts } = JSON.parse(listed.body);
  const ibans = new Map<string, string>(
    accounts.map((each: { id: string; identification: { iban: string } }) => [
      each.id,
      each.identification.iban,
    ]),
  );

  const call = (given: TestCall) => resource.call({ certificate, token, ...given });
  const send: PayingTpp["send"] = (method, path, sent, given = {}) => {
    const body = typeof sent === "string" || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent ?? {});
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...given.headers,
    };
    return call({ ...given, method, path, body, headers });
  };
  const tpp: PayingTpp = {
    token,
    iban: (account = HISTORY) => ibans.get(account) ?? "",
    order: (changed = {}) => ({
      paymentIdentification: { instructionIdentification: randomUUID().slice(0, 35) },
      paymentTypeInformation: { instructionPriority: "INST" },
      amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
      debtorAccount: { identification: { iban: tpp.iban() } },
      creditorAccount: { identification: { iban: PAYEE_IBAN } },
      ...changed,
    }),
    call,
    send,
    pay: async (changed) => {
      const answer = await send("POST", PAYMENTS, tpp.order(changed));
      expect(answer.status, answer.body).to.equal(200);
      const { transactionIdentification: paymentId, signInfo } = JSON.parse(answer.body);
      return { paymentId, signId: signInfo.signId, answer };
    },
    start: async (changed) => {
      const paid = await tpp.pay(changed);
      const answer = await send("POST", signingOf(paid), { authorizationType: "USERAGENT_REDIRECT" });
      expect(answer.status, answer.body).to.equal(200);
      const { requests } = resource.auth.signing;
      const request = requests.findLast(({ asked }) => asked.paymentId === paid.paymentId);
      if (request === undefined) throw new Error("auth was not asked");
      return { ...paid, request };
    },
    statusOf: async (paymentId) => {
      const answer = await resource.call({ certificate, path: `/cobs/2.0/payments/${paymentId}/status` });
      return JSON.parse(answer.body).instructionStatus ?? `${answer.status}`;
    },
    untilStatus: (paymentId, status) => tpp.until(async () => (await tpp.statusOf(paymentId)) === status),
    until: async (isSo) => {
      let ahead = 0;
      await eventually(async () => {
        if (await isSo()) return true;
        if (bankDayOf(resource.clock.now()) > bankDayOf(new Date()))
          await runSql(resource.environment.DATABASE_URL ?? "", THE_DAY_COMES);
        if (ahead < MOST_AHEAD_MILLISECONDS) resource.clock.advance(STEP_MILLISECONDS);
        ahead += STEP_MILLISECONDS;
        return false;
      });
    },
    signStateOf: async (paid) => {
      const answer = await call({ path: signingOf(paid) });
      return JSON.parse(answer.body).signInfo?.state ?? `${answer.status}`;
    },
  };
  return tpp;
}

/** The path of R10 to R12. */
export function signingOf({ paymentId, signId }: Pick<PaidAnswer, "paymentId" | "signId">): string {
  return `${PAYMENTS}/${paymentId}/sign/${signId}`;
}
