import { expect } from "chai";
import { faultsOf } from "./check-answer.ts";
import { OPERATIONS, operationOf } from "./interface-document.ts";

const HEADERS = { "x-request-id": "one", "cache-control": "no-store", "content-type": "application/json" };
const REFUSED = {
  error: "PARAMETER_INVALID",
  scope: "page",
  parameters: null,
  message: "page is not a page number",
};
const refusedWith = (changed: object, headers: object = HEADERS, status = 400) => ({
  status,
  headers: { ...headers },
  body: JSON.stringify({ errors: [{ ...REFUSED, ...changed }] }),
});

describe("the check of answers against the description", () => {
  const faults = (answer: ReturnType<typeof refusedWith>) => faultsOf(operationOf("listAccounts"), answer);

  it("finds nothing wrong with an answer that is described", () => {
    expect(faults(refusedWith({}))).to.deep.equal([]);
  });

  it("finds a status, code, member, header or media type that is not described", () => {
    expect(faults(refusedWith({}, HEADERS, 418))[0]).to.match(/^418 is not described/);
    expect(faults(refusedWith({ error: "AC09" }))).to.deep.equal(["the code AC09 is not described"]);
    expect(faults(refusedWith({ extra: 1 }))[0]).to.match(/additional properties.*extra/);
    expect(faults(refusedWith({}, { ...HEADERS, etag: '"1"' }))).to.deep.equal([
      "the header etag is not described",
    ]);
    expect(faults(refusedWith({}, { ...HEADERS, "content-type": "text/html" }))).to.deep.equal([
      "the media type text/html is not described",
    ]);
  });

  it("finds a missing header, and one with another value", () => {
    expect(faults(refusedWith({}, { ...HEADERS, "x-request-id": undefined }))).to.deep.equal([
      "the header X-Request-ID is missing",
    ]);
    expect(faults(refusedWith({}, { ...HEADERS, "cache-control": "public" }))[0]).to.match(
      /^the header Cache-Control/,
    );
  });

  it("distinguishes operations of one path by their methods", () => {
    const paths = OPERATIONS.map(({ path }) => path);
    expect(new Set(paths).size).to.be.lessThan(paths.length);
    expect(operationOf("readApplication").method).to.equal("GET");
  });
});
