import { expect } from "chai";
import { presentPage } from "../../../packages/sandbox/src/tpp/told-list.ts";

describe("Page number of a list on the command line", () => {
  it("counts from one, also for the only page of an empty list", () => {
    const told = (pageNumber: number, pageCount: number, totalCount: number) =>
      presentPage({ pageNumber, pageCount, totalCount }, 1, "account");
    expect(told(0, 1, 1)).to.equal("page 1 of 1, 1 account in all");
    expect(told(2, 3, 21)).to.equal("page 3 of 3, 21 accounts in all");
    expect(told(0, 0, 0)).to.equal("page 1 of 1, 0 accounts in all");
  });

  it("is followed by the option for the next page, which counts from zero", () => {
    const told = (nextPage: number | null) =>
      presentPage({ pageNumber: 1, pageCount: 3, nextPage, totalCount: 21 }, 10, "account");
    expect(told(2)).to.equal("page 2 of 3, 21 accounts in all; the next: --page 2");
    expect(told(null)).to.equal("page 2 of 3, 21 accounts in all");
  });
});
