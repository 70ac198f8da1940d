import { expect } from "chai";
import { ACCOUNTS } from "../resource/resource-calls.ts";
import type { RawAnswer } from "../support/raw-https.ts";

/** One expected error; a member that is left out must be null. */
export interface ExpectedError {
  readonly error: string;
  readonly scope?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The path of R2. */
export function balanceOf(id: string, query = ""): string {
  return `${ACCOUNTS}/${id}/balance${query}`;
}

/** The path of R3. */
export function transactionsOf(id: string, query = ""): string {
  return `${ACCOUNTS}/${id}/transactions${query}`;
}

/** Expects the standard's error payload with exactly these errors, in any order (COBS 1.2.10.1). */
export function expectErrors(answer: RawAnswer, status: number, ...expected: readonly ExpectedError[]): void {
  expect(answer.status, answer.body).to.equal(status);
  expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
  const { errors, ...others } = JSON.parse(answer.body);
  expect(others).to.deep.equal({});
  for (const error of errors) {
    expect(error).to.have.all.keys("error", "scope", "parameters", "message");
    expect(error.message).to.be.a("string");
  }
  const told = errors.map(({ message: _message, ...error }: { message: string }) => error);
  const wanted = expected.map(({ error, scope = null, parameters = null }) => ({ error, scope, parameters }));
  expect(told).to.have.deep.members(wanted);
}

/** The envelope of a page without its entries (COBS 1.2.8.4). */
export function envelopeOf({ body }: RawAnswer): Record<string, unknown> {
  const { accounts: _accounts, transactions: _transactions, ...envelope } = JSON.parse(body);
  return envelope;
}

/** References of a page's transactions, in order. */
export function referencesOf({ body }: RawAnswer): readonly string[] {
  return JSON.parse(body).transactions.map(
    ({ entryReference }: { entryReference: string }) => entryReference,
  );
}
