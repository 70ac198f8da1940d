import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { answering } from "../resource/connector/scripted-core.ts";
import { clausesOf, judgeBehind } from "./kit-at-core.ts";

const REFUSED = { status: 400, title: "X-Request-ID is missing", code: "request_malformed" };

const hasTrace = ({ headers }: IncomingMessage) => headers["x-request-id"] !== undefined;
const isOfOrder = ({ url }: IncomingMessage) => url?.startsWith("/orders/") === true;

describe("the test kit on X-Request-ID, the name of a call (contract, clause 1.2)", () => {
  for (const clause of ["6.4", "7.1"])
    it(`fails a core system that requires X-Request-ID with orders too at clause ${clause}`, async () => {
      const results = await judgeBehind(
        (request) => (hasTrace(request) ? undefined : answering(REFUSED, 400)),
        clause,
      );
      expect(clausesOf(results, "failed")).to.deep.equal([clause]);
      expect(results[0]?.seen).to.match(/^answer_status: .*, at (GET|PUT) \/orders\/[0-9a-f]{32}$/);
    });

  it("passes a core system that requires it where a TPP calls, and nowhere else", async () => {
    const results = await judgeBehind(
      (request) => (hasTrace(request) !== isOfOrder(request) ? undefined : answering(REFUSED, 400)),
      ...["2.1", "5.1", "6.1", "6.2", "6.3", "6.4", "7.1", "7.3"],
    );
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });
});
