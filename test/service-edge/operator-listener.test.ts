import type { Listener } from "@cobs/service-edge";
import { expect } from "chai";
import { openOperatorListener } from "../../packages/service-edge/src/operator-listener.ts";

describe("Operator listener", () => {
  let listener: Listener;
  before(async () => {
    listener = await openOperatorListener({
      port: 0,
      readiness: async () => ({ database: false }),
      metrics: { present: async () => ({ type: "text/plain", body: "" }) },
    });
  });
  after(() => listener.close(0));

  const ask = (method: string) => fetch(`http://127.0.0.1:${listener.port}/readyz`, { method });

  it("answers HEAD as GET, without the body (RFC 9110 9.3.2)", async () => {
    const [got, head] = [await ask("GET"), await ask("HEAD")];
    expect([got.status, await got.json()]).to.deep.equal([
      503,
      { ready: false, checks: { database: false } },
    ]);
    expect([head.status, await head.text()]).to.deep.equal([503, ""]);
    expect(head.headers.get("content-type")).to.equal(got.headers.get("content-type"));
  });

  it("names the allowed methods when another is used (RFC 9110 15.5.6)", async () => {
    const answer = await ask("POST");
    expect([answer.status, answer.headers.get("allow")]).to.deep.equal([405, "GET, HEAD"]);
  });
});
