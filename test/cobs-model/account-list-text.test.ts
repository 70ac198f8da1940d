import {
  type Account,
  ContentRefusal,
  type PageRequest,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parseIban,
  presentErrors,
  requireExistingPage,
  writeAccountList,
} from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { presentPage } from "../../packages/cobs-model/src/page.ts";

const ACCOUNT: Account = {
  id: parseAccountId("b81e77c90a24d3f6"),
  iban: parseIban("CZ7199000000192000000034"),
  number: parseCzechAccountNumber("19-2000000034"),
  currency: parseCurrencyCode("EUR"),
  servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
  names: { cs: "Eurový účet", en: "Euro account" },
  products: { cs: "Osobní konto EUR", en: "Personal account EUR" },
};

function pageOf(request: PageRequest, totalCount: number) {
  const left = Math.max(0, totalCount - request.page * request.size);
  const entries = Array.from({ length: Math.min(left, request.size) }, () => ACCOUNT);
  return requireExistingPage(request, { entries, totalCount });
}

const read = (...list: Parameters<typeof writeAccountList>) =>
  JSON.parse(writeAccountList(...list).toString());

describe("the account list as JSON text (COBS 3.1.3)", () => {
  it("has exactly the members of the standard", () => {
    expect(read(pageOf({ page: 0, size: 100 }, 1), "cs")).to.deep.equal({
      pageNumber: 0,
      pageCount: 1,
      nextPage: null,
      pageSize: 1,
      totalCount: 1,
      accounts: [
        {
          id: "b81e77c90a24d3f6",
          identification: { iban: "CZ7199000000192000000034", other: "19-2000000034" },
          currency: "EUR",
          servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
          nameI18N: "Eurový účet",
          productI18N: "Osobní konto EUR",
        },
      ],
    });
  });

  it("is written as the same bytes every time", () => {
    const account = JSON.stringify(read(pageOf({ page: 0, size: 1 }, 1), "en").accounts[0]);
    for (const count of [0, 1, 3, 3]) {
      const envelope = `"pageNumber":0,"pageCount":${Math.min(count, 1)},"nextPage":null,"pageSize":${count}`;
      expect(writeAccountList(pageOf({ page: 0, size: 3 }, count), "en").toString()).to.equal(
        `{${envelope},"totalCount":${count},"accounts":[${Array(count).fill(account).join()}]}`,
      );
    }
  });

  it("is valid UTF-8 whatever letters the names have", () => {
    for (const name of ["Account", "Kontó", "Účet č. 1", "口座"]) {
      const named = { ...ACCOUNT, names: { cs: name, en: name } };
      const page = requireExistingPage({ page: 0, size: 3 }, { entries: [named, ACCOUNT], totalCount: 2 });
      const written = Buffer.from(writeAccountList(page, "en"));
      const { nameI18N } = JSON.parse(written.toString("utf8")).accounts[0];
      expect(nameI18N).to.equal(name);
    }
  });

  it("is in the chosen language (PDF 1.2.6)", () => {
    const page = pageOf({ page: 0, size: 1 }, 1);
    const english = { nameI18N: "Euro account", productI18N: "Personal account EUR" };
    const czech = { nameI18N: "Eurový účet", productI18N: "Osobní konto EUR" };
    for (const [language, names] of [
      ["en", english],
      ["cs", czech],
      ["en", english],
    ] as const)
      expect(read(page, language).accounts[0]).to.include(names);
  });

  it("writes null for what the bank does not know, and omits no member (PDF 1.2.3, A-04)", () => {
    const bare = {
      ...ACCOUNT,
      number: null,
      names: null,
      products: null,
      servicer: { bankCode: null, countryCode: "CZ", bic: null },
    };
    const page = requireExistingPage({ page: 0, size: 1 }, { entries: [bare], totalCount: 1 });
    expect(read(page, "cs").accounts[0]).to.deep.equal({
      id: "b81e77c90a24d3f6",
      identification: { iban: "CZ7199000000192000000034", other: null },
      currency: "EUR",
      servicer: { bankCode: null, countryCode: "CZ", bic: null },
      nameI18N: null,
      productI18N: null,
    });
  });
});

describe("the envelope of a page (COBS PDF 1.2.8.4)", () => {
  const cases: readonly (readonly [PageRequest, number, readonly [number, number | null, number]])[] = [
    [{ page: 0, size: 10 }, 0, [0, null, 0]],
    [{ page: 0, size: 10 }, 10, [1, null, 10]],
    [{ page: 0, size: 10 }, 11, [2, 1, 10]],
    [{ page: 1, size: 10 }, 11, [2, null, 1]],
    [{ page: 2, size: 10 }, 34, [4, 3, 10]],
    [{ page: 3, size: 10 }, 34, [4, null, 4]],
  ];
  for (const [request, total, [pageCount, nextPage, pageSize]] of cases) {
    it(`of page ${request.page} of size ${request.size} of ${total} has pageSize ${pageSize} and nextPage ${nextPage}`, () => {
      const expected = { pageNumber: request.page, pageCount, nextPage, pageSize, totalCount: total };
      expect(presentPage(pageOf(request, total))).to.deep.equal(expected);
    });
  }

  for (const [page, total] of [
    [1, 0],
    [1, 10],
    [2, 11],
    [1_000_000_000_000, 34],
  ] as const) {
    it(`refuses page ${page} of ${total} entries as PAGE_NOT_FOUND (A-07)`, () => {
      expect(() => pageOf({ page, size: 10 }, total)).to.throw(ContentRefusal, "PAGE_NOT_FOUND");
    });
  }

  it("leads to every entry exactly once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 100 }), (total, size) => {
        let seen = 0;
        for (let page: number | null = 0; page !== null; ) {
          const envelope = presentPage(pageOf({ page, size }, total));
          seen += envelope.pageSize;
          page = envelope.nextPage;
        }
        expect(seen).to.equal(total);
      }),
    );
  });
});

describe("the error document (COBS PDF 1.2.10.1)", () => {
  it("has one entry per fault, with null for what is not known (A-04)", () => {
    const document = presentErrors([
      { code: "PARAMETER_INVALID", path: "sort", message: "sort is wrong" },
      { code: "DT01", path: "fromDate", parameters: { DATE: "DATE_TO_OLD" }, message: "too old" },
      { code: "UNAUTHORISED", path: undefined, message: "no token" },
    ]);
    expect(document).to.deep.equal({
      errors: [
        { error: "PARAMETER_INVALID", scope: "sort", parameters: null, message: "sort is wrong" },
        { error: "DT01", scope: "fromDate", parameters: { DATE: "DATE_TO_OLD" }, message: "too old" },
        { error: "UNAUTHORISED", scope: null, parameters: null, message: "no token" },
      ],
    });
  });
});
