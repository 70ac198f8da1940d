import { expect } from "chai";
import { DOCUMENT, OPERATIONS } from "./interface-document.ts";

const { description } = DOCUMENT.info;

describe("the introduction of the description", () => {
  it("tells what a path that is none is answered with on each of the hosts", () => {
    const hosts = new Set(OPERATIONS.flatMap(({ operation }) => operation.servers.map(({ url }) => url)));
    expect(hosts).to.have.length(3);
    expect(description).to.match(
      /path that is none is 404:\s`NOT_FOUND` at accounts [^.]*`invalid_request` at applications [^.]* a page on/,
    );
  });
});
