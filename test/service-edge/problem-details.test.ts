import { problemAnswer } from "@cobs/service-edge";
import { expect } from "chai";

describe("Answer with problem details (RFC 9457)", () => {
  it("has its media type, its status in both places, and only the members that it was given", () => {
    const answer = problemAnswer({ status: 404, title: "not found", detail: "there is no such entry" });
    expect(answer.status).to.equal(404);
    expect(answer.content?.type).to.equal("application/problem+json");
    expect(JSON.parse(String(answer.content?.body))).to.deep.equal({
      title: "not found",
      status: 404,
      detail: "there is no such entry",
    });
  });
});
