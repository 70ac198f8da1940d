import { parseAccountId } from "@cobs/cobs-model";
import { EdgeRefusal } from "@cobs/service-edge";
import { expect } from "chai";
import { presentCoreError } from "../../../packages/sandbox/src/core-system/present-core-error.ts";

const CALL = { requestId: "1", method: "PUT", path: "/orders/payment-1", acceptLanguage: undefined };

/** The problem details that something thrown is presented as. */
function problemOf(error: unknown): unknown {
  const { answer } = presentCoreError(error, CALL);
  expect(answer.content?.type).to.equal("application/problem+json");
  const problem = JSON.parse(String(answer.content?.body));
  expect(answer.status).to.equal(problem.status);
  return problem;
}

describe("a refusal of the core system of the sandbox", () => {
  for (const code of [
    "body_malformed",
    "body_too_large",
    "media_type_unsupported",
    "header_repeated",
    "path_malformed",
  ] as const)
    it(`has the code of the contract where the question cannot be read: ${code} (1.4, 6.5)`, () => {
      expect(problemOf(new EdgeRefusal(code, "what is wrong"))).to.deep.equal({
        status: 400,
        title: "what is wrong",
        code: "request_malformed",
      });
    });

  it("has no code where the question is none of the contract's", () => {
    const problem = problemOf(new EdgeRefusal("route_unknown", "there is no such path"));
    expect(problem).to.deep.equal({ status: 404, title: "there is no such path" });
  });

  it("says of an id in a path that cannot be one what it says of any unknown one (3.1)", () => {
    let thrown: unknown;
    try {
      parseAccountId("bad id!");
    } catch (error) {
      thrown = error;
    }
    expect(problemOf(thrown)).to.include({ status: 404, code: "account_unknown" });
  });
});
