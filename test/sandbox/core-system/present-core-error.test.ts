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

describe("Error answer of the sandbox's core system", () => {
  for (const code of [
    "body_malformed",
    "body_too_large",
    "media_type_unsupported",
    "header_repeated",
    "path_malformed",
  ] as const)
    it(`has the contract's code when the question cannot be read: ${code} (1.4, 6.5)`, () => {
      expect(problemOf(new EdgeRefusal(code, "what is wrong"))).to.deep.equal({
        status: 400,
        title: "what is wrong",
        code: "request_malformed",
      });
    });

  it("has no code when the question is not part of the contract", () => {
    const problem = problemOf(new EdgeRefusal("route_unknown", "there is no such path"));
    expect(problem).to.deep.equal({ status: 404, title: "there is no such path" });
  });

  it("treats a malformed id in a path like an unknown one (3.1)", () => {
    let thrown: unknown;
    try {
      parseAccountId("bad id!");
    } catch (error) {
      thrown = error;
    }
    expect(problemOf(thrown)).to.include({ status: 404, code: "account_unknown" });
  });
});
