import { randomUUID } from "node:crypto";
import { bankDayOf } from "@cobs/cobs-model";
import { expect } from "chai";
import { runSql } from "../journeys/run-sql.ts";
import type { TestCall } from "../resource/resource-calls.ts";
import type { RunningResource } from "../resource/running-resource.ts";
import { HISTORY } from "../resource/small-movements.ts";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import type { TestSigningRequest } from "../support/test-signing.ts";

/** The path of R5. */
export const PAYMENTS = "/cobs/2.0/my/payments";
/** An account of another bank. */
export const PAYEE_IBAN = "CZ6508000000192000145399";
const STEP_MILLISECONDS = 250;
/**
 * Bound on how far the clock advances: failed work is retried after half a second, then at growing intervals; sweeps come after
 * thirty seconds.
 */
const MOST_AHEAD_MILLISECONDS = 15_000;

/** The sandbox's bank has its own clock, which may reach the server's day a moment later. */
const THE_DAY_COMES = "UPDATE sandbox_order SET due_at = now() WHERE due_at > now()";

/** A payment as R5 answers it. */
export interface PaidAnswer {
  readonly paymentId: string;
  readonly signId: string;
  readonly answer: RawAnswer;
}

/** A TPP at a resource server, with a token for payments alone. */
export interface PayingTpp {
  readonly token: string;
  /** The IBAN of an account of the PSU; by default the one with a history. */
  iban(account?: string): string;
  /** An instant domestic payment that is valid, with some members changed. */
  order(changed?: object): Record<string, unknown>;
  call(call: TestCall): Promise<RawAnswer>;
  /** Sends a body: text and bytes as they are, anything else as JSON. */
  send(method: string, path: string, body?: unknown, call?: TestCall): Promise<RawAnswer>;
  /** Enters a payment. */
  pay(changed?: object): Promise<PaidAnswer>;
  /** Enters a payment, and starts its authorization. */
  start(changed?: object): Promise<PaidAnswer & { readonly request: TestSigningRequest }>;
  statusOf(paymentId: string): Promise<string>;
  untilStatus(paymentId: string, status: string): Promise<void>;
  /**
   * Waits until a condition holds. Meanwhile the server's clock advances far enough to retry what failed on a busy machine, but
   * not to the next sweep.
   */
  until(isSo: () => Promise<boolean>): Promise<void>;
  /** State that R10 returns. */
  signStateOf(paid: Pick<PaidAnswer, "paymentId" | "signId">): Promise<string>;
}

/** Opens a TPP for the PSU with many accounts. */
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
