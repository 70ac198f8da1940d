import { readAccountListQuery } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

const read = (text: string) => readAccountListQuery(new URLSearchParams(text));
const parse = (text: string) => read(text).query;

function faultPaths(text: string): readonly (string | undefined)[] {
  const { faults } = read(text);
  for (const { code } of faults) expect(code).to.equal("PARAMETER_INVALID");
  return faults.map(({ path }) => path);
}

describe("the query of the list of accounts", () => {
  it("asks for the first page of up to 100 entries in the bank's own order when it is empty (1.2.8.4)", () => {
    expect(parse("")).to.deep.equal({ page: 0, size: 100, sort: [] });
  });

  it("reads page and size as given", () => {
    expect(parse("page=3&size=25")).to.deep.include({ page: 3, size: 25 });
  });

  it("caps the size at 100 (1.2.8.4)", () => {
    expect(parse("size=101").size).to.equal(100);
    expect(parse("size=999999999999").size).to.equal(100);
  });

  it("accepts page 10^12 as a number, although no bank has it (A-07)", () => {
    expect(parse("page=1000000000000").page).to.equal(1_000_000_000_000);
  });

  it("reads a page or size with too many digits as the largest possible one (A-07, 1.2.8.4)", () => {
    for (const digits of [16, 400]) {
      expect(parse(`page=${"9".repeat(digits)}`).page).to.equal(999_999_999_999_999);
      expect(parse(`size=${"9".repeat(digits)}`).size).to.equal(100);
    }
  });

  it("ignores unknown parameters", () => {
    expect(parse("fields=id&__proto__=1&constructor=2")).to.deep.equal({ page: 0, size: 100, sort: [] });
  });

  for (const page of ["-1", "", "1e3", "0x1", "1.0", "+1", "%201", "01", "٣", "NaN"]) {
    it(`refuses page=${page}`, () => {
      expect(faultPaths(`page=${page}`)).to.deep.equal(["page"]);
    });
  }

  for (const size of ["0", "-1", "", "1e3", "00", "ten", "1,2"]) {
    it(`refuses size=${size}`, () => {
      expect(faultPaths(`size=${size}`)).to.deep.equal(["size"]);
    });
  }

  it("sorts by fields in order of significance, ascending by default (1.2.8.2)", () => {
    expect(parse("sort=nameI18N,id").sort).to.deep.equal([
      { field: "nameI18N", direction: "asc" },
      { field: "id", direction: "asc" },
    ]);
  });

  it("reads directions by position and in any case; an empty one means ascending (1.2.8.2, A-08)", () => {
    expect(
      parse("sort=currency,iban,id&order=DESC,,Desc").sort.map(({ direction }) => direction),
    ).to.deep.equal(["desc", "asc", "desc"]);
    expect(parse("sort=currency,iban&order=desc").sort.map(({ direction }) => direction)).to.deep.equal([
      "desc",
      "asc",
    ]);
    expect(parse("sort=id&order=").sort).to.deep.equal([{ field: "id", direction: "asc" }]);
  });

  for (const sort of [
    "",
    "nosuch",
    "id,",
    ",id",
    "id,nosuch",
    "id,id",
    "ID",
    "constructor",
    "id;drop",
    " id",
  ]) {
    it(`refuses sort=${sort}`, () => {
      expect(faultPaths(`sort=${encodeURIComponent(sort)}`)).to.deep.equal(["sort"]);
    });
  }

  it("refuses an order without a sort, or with more directions than sort has fields", () => {
    expect(faultPaths("order=asc")).to.deep.equal(["order"]);
    expect(faultPaths("order=")).to.deep.equal(["order"]);
    expect(faultPaths("sort=id&order=asc,desc")).to.deep.equal(["order"]);
    expect(faultPaths("sort=id&order=,")).to.deep.equal(["order"]);
  });

  it("refuses an unknown direction", () => {
    expect(faultPaths("sort=id&order=up")).to.deep.equal(["order"]);
    expect(faultPaths("sort=id,iban&order=desc,up")).to.deep.equal(["order"]);
  });

  for (const name of ["page", "size", "sort", "order"]) {
    it(`refuses a repeated ${name}, even with the same value`, () => {
      const value = { page: "1", size: "1", sort: "id", order: "asc" }[name];
      const others = name === "order" ? "sort=id&" : "";
      expect(faultPaths(`${others}${name}=${value}&${name}=${value}`)).to.deep.equal([name]);
    });
  }

  it("reports the faults of all parameters at once", () => {
    expect(faultPaths("page=-1&size=0&sort=nosuch&order=up")).to.deep.equal([
      "page",
      "size",
      "sort",
      "order",
    ]);
  });

  it("yields either a query within bounds or a refusal, whatever the input", () => {
    const name = fc.constantFrom("page", "size", "sort", "order", "other");
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom("id", "iban,id", "desc", "0", "7", "100000000000000"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        if (faultPaths(query).length > 0) return;
        const { page, size, sort } = parse(query);
        expect(Number.isSafeInteger(page) && page >= 0).to.equal(true);
        expect(size).to.be.within(1, 100);
        expect(new Set(sort.map(({ field }) => field)).size).to.equal(sort.length);
      }),
      { numRuns: 500 },
    );
  });
});
