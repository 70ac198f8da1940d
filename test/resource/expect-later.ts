import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import type { RunningResource } from "./running-resource.ts";

/** What a TPP that has to wait is told, and what the log has about its call. */
export interface Later {
  readonly seconds: number;
  readonly message: string;
  readonly logged: Readonly<Record<string, unknown>>;
}

/** Expects a refusal until later (RFC 6585 section 4), in the standard's shape, as the last call of the log. */
export function expectLater(
  resource: RunningResource,
  refused: RawAnswer,
  { seconds, message, logged }: Later,
): void {
  expect(refused.status).to.equal(429);
  expect(refused.headers["retry-after"]).to.equal(`${seconds}`);
  expect(refused.headers).not.to.have.property("www-authenticate");
  const continuesAt = new Date(resource.clock.now().getTime() + seconds * 1000).toISOString();
  expect(JSON.parse(refused.body).errors).to.deep.equal([
    { error: "NARR", scope: null, parameters: { CONTINUES_AT: continuesAt }, message },
  ]);
  expect(resource.lastCall()).to.include({ ...logged, status: 429, continuesAt });
}
