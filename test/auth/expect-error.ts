import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";

/** Expects an OAuth error (RFC 6749 5.2), which must not be cached. */
export function expectError(answer: RawAnswer, status: number, error: string): void {
  expect(answer.status, answer.body).to.equal(status);
  expect(JSON.parse(answer.body).error).to.equal(error);
  expect(answer.headers["cache-control"]).to.equal("no-store");
}
