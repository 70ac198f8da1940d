import { writeJson } from "@cobs/service-edge/json";
import { expect } from "chai";
import { refusedByServer } from "../../../packages/sandbox/src/tpp/refused-by-server.ts";

const LIMIT =
  '{"error":"AM12","scope":"amount","parameters":{"LIMIT":99999999999999999.99},"message":"too large"}';

describe("TPP command line after a server's refusal", () => {
  for (const [kind, text, words] of [
    ["OAuth's error", '{"error":"invalid_grant","error_description":"over"}', ": invalid_grant, over"],
    [
      "a COBS error",
      '{"errors":[{"error":"AC09","scope":"currency","parameters":null}]}',
      ": AC09 (currency)",
    ],
    [
      "a parameter with all its digits",
      `{"errors":[${LIMIT}]}`,
      ": AM12, too large (amount) [LIMIT: 99999999999999999.99]",
    ],
    [
      "several parameters",
      '{"errors":[{"error":"DT01","parameters":{"A":["x","y"],"B":true}}]}',
      ": DT01 [A: x, y; B: true]",
    ],
    ["no parameter", '{"errors":[{"error":"DT01","parameters":{}},{"error":"AC02"}]}', ": DT01; AC02"],
    ["JSON that is no error", "[1]", ": [1]"],
    ["text that is not JSON", "<html>", ": <html>"],
    ["an empty answer", "", ""],
  ] as const)
    it(`shows ${kind} in words (COBS PDF 1.2.10.1)`, () => {
      const { code, message } = refusedByServer(400, text);
      expect([code, message]).to.deep.equal(["refused", `the server answered 400${words}`]);
    });

  it("gives programs the list of errors as it came", () => {
    expect(writeJson(refusedByServer(400, `{"errors":[${LIMIT}]}`).errors)).to.equal(`[${LIMIT}]`);
    expect(refusedByServer(401, '{"error":"invalid_client"}').errors).to.equal(undefined);
  });
});
