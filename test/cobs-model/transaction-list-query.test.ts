import { type CobsErrorCode, readTransactionListQuery } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

/** Just before midnight in Prague, when the day of UTC and that of the bank differ in an hour. */
const NOW = new Date("2024-05-02T21:30:00.000Z");

const read = (text: string, now = NOW) => readTransactionListQuery(new URLSearchParams(text), now);

/** The query of a text that has no fault. */
function queryOf(text: string, now = NOW) {
  const { query, faults } = read(text, now);
  expect(faults).to.deep.equal([]);
  return query;
}

type ToldFault = readonly [CobsErrorCode, string | undefined, unknown?];

function faultsOf(text: string, now = NOW): readonly ToldFault[] {
  return read(text, now).faults.map(({ code, path, parameters }) =>
    parameters === undefined ? [code, path] : [code, path, parameters],
  );
}

const encoded = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;

describe("the query of the list of transactions (COBS 3.1.5)", () => {
  it("leaves everything to the bank when it is empty (1.2.8)", () => {
    const expected = {
      page: 0,
      size: 100,
      from: undefined,
      before: undefined,
      currency: undefined,
      sort: [],
    };
    expect(queryOf("")).to.deep.equal(expected);
  });

  it("ignores unknown parameters", () => {
    expect(queryOf("fields=amount&__proto__=1&fromdate=x")).to.deep.equal(queryOf(""));
  });

  it("reads page and size as every list does (1.2.8.4)", () => {
    expect(queryOf("page=3&size=25")).to.deep.include({ page: 3, size: 25 });
    expect(queryOf("size=5000").size).to.equal(100);
  });

  it("sorts by the published fields in order of significance, directions in any case (1.2.8.2, A-08)", () => {
    expect(
      queryOf("sort=bookingDate,valueDate,amount,entryReference&order=DESC,,asc,Desc").sort,
    ).to.deep.equal([
      { field: "bookingDate", direction: "desc" },
      { field: "valueDate", direction: "asc" },
      { field: "amount", direction: "asc" },
      { field: "entryReference", direction: "desc" },
    ]);
  });

  for (const sort of ["", "id", "bookingDate,bookingDate", "BookingDate", "amount.value", "amount,"]) {
    it(`refuses sort=${sort}`, () => {
      expect(faultsOf(encoded("sort", sort))).to.deep.equal([["PARAMETER_INVALID", "sort"]]);
    });
  }

  it("accepts a currency in the form of ISO 4217", () => {
    expect(queryOf("currency=EUR").currency).to.equal("EUR");
  });

  for (const currency of ["", "eur", "EURO", "E1R", " EUR", "ЕUR"]) {
    it(`refuses currency=${JSON.stringify(currency)} as AC09, and gives the expected form (A-41)`, () => {
      expect(faultsOf(encoded("currency", currency))).to.deep.equal([["AC09", "currency"]]);
      const [fault] = read(encoded("currency", currency)).faults;
      expect(fault?.message).to.equal("currency must be a currency code of three capital letters");
    });
  }
});

describe("the dates of the list of transactions (COBS 1.2.8.1, A-09)", () => {
  it("may be bank-local days, the last one included whole", () => {
    const { from, before } = queryOf("fromDate=2024-03-31&toDate=2024-03-31");
    expect(from?.toISOString()).to.equal("2024-03-30T23:00:00.000Z");
    expect(before?.toISOString()).to.equal("2024-03-31T22:00:00.000Z");
  });

  for (const [text, instant, milliseconds] of [
    ["2016-05-12T05:37:30+02:00", "2016-05-12T03:37:30.000Z", 1_000],
    ["2016-05-12T05:37:30Z", "2016-05-12T05:37:30.000Z", 1_000],
    ["2016-05-12T05:37:30.000Z", "2016-05-12T05:37:30.000Z", 1],
    ["2016-05-12T05:37:30.5-05:30", "2016-05-12T11:07:30.500Z", 1],
    ["2016-05-12T05:37:30.1234567Z", "2016-05-12T05:37:30.123Z", 1],
    ["2016-05-12T05:37:30.000000001Z", "2016-05-12T05:37:30.000Z", 1],
    ["2016-05-12T05:37Z", "2016-05-12T05:37:00.000Z", 60_000],
    ["2016-05-12T05:37+02:00", "2016-05-12T03:37:00.000Z", 60_000],
    ["2016-02-29T23:59:59+00:00", "2016-02-29T23:59:59.000Z", 1_000],
    ["2015-12-31T23:30:00-01:00", "2016-01-01T00:30:00.000Z", 1_000],
  ] as const) {
    it(`may be moments with an offset, ${text}, the last one included to its stated precision (1.2.8.1, 3.1.5)`, () => {
      const { from, before } = queryOf(`${encoded("fromDate", text)}&${encoded("toDate", text)}`);
      expect(from?.toISOString()).to.equal(instant);
      expect(before?.getTime()).to.equal(Date.parse(instant) + milliseconds);
    });
  }

  it("are in order if fromDate lies within the precision of toDate", () => {
    const { from, before } = queryOf("fromDate=2016-05-12T05:37:30.500Z&toDate=2016-05-12T05:37Z");
    expect([from?.getTime(), before?.getTime()]).to.deep.equal([1_463_031_450_500, 1_463_031_480_000]);
  });

  it("may have a space before hh:mm for an unescaped plus sign (A-09)", () => {
    const raw = queryOf("fromDate=2016-05-12T05:37:30+02:00");
    expect(raw.from?.toISOString()).to.equal("2016-05-12T03:37:30.000Z");
  });

  for (const text of [
    "",
    "yesterday",
    "2026-02-30",
    "2023-02-29",
    "2024-13-01",
    "2024-5-2",
    "02.05.2024",
    "20240502",
    "10000-01-01",
    "-2024-01-01",
    "2024-05-02T10:15:00",
    "2024-05-02T10:15:00+02",
    "2024-05-02T10:15:00+0200",
    "2024-05-02T10:15:00 +02:00",
    "2024-05-02T10:15:00+24:00",
    "2024-05-02T24:00:00Z",
    "2024-05-02T10:60:00Z",
    "2024-05-02T10:15:60Z",
    "2024-05-02T10:15:00.Z",
    "2024-05-02T10:15:00,5Z",
    "2024-02-30T10:15:00Z",
    "2024-05-02t10:15:00z",
    "2024-05-02 10:15:00Z",
    "2024-05-02Z",
    "1714644900",
    "2024-05-02\n",
    "２024-05-02",
  ]) {
    it(`cannot be ${JSON.stringify(text)}: PARAMETER_INVALID`, () => {
      expect(faultsOf(encoded("fromDate", text))).to.deep.equal([["PARAMETER_INVALID", "fromDate"]]);
      expect(faultsOf(encoded("toDate", text))).to.deep.equal([["PARAMETER_INVALID", "toDate"]]);
    });
  }

  for (const name of ["fromDate", "toDate"]) {
    it(`may be any time of today as ${name}, by the bank's clock`, () => {
      expect(faultsOf(`${name}=2024-05-02`)).to.deep.equal([]);
      expect(faultsOf(`${name}=2024-05-02T21:59:59.999Z`)).to.deep.equal([]);
      expect(faultsOf(`${name}=2024-05-03`, new Date("2024-05-02T22:00:00.000Z"))).to.deep.equal([]);
    });

    it(`are refused after today as ${name}: DT01 with DATE_IN_FUTURE (3.1.5)`, () => {
      const fault = ["DT01", name, { DATE: "DATE_IN_FUTURE" }];
      expect(faultsOf(`${name}=2024-05-03`)).to.deep.equal([fault]);
      expect(faultsOf(`${name}=2024-05-02T22:00:00Z`)).to.deep.equal([fault]);
      expect(faultsOf(`${name}=9999-12-31`)).to.deep.equal([fault]);
    });

    it(`are refused before 1900 as ${name}: DT01 with DATE_TO_OLD (3.1.5)`, () => {
      const fault = ["DT01", name, { DATE: "DATE_TO_OLD" }];
      expect(faultsOf(`${name}=1899-12-31`)).to.deep.equal([fault]);
      expect(faultsOf(`${name}=0000-01-01`)).to.deep.equal([fault]);
      expect(faultsOf(`${name}=1900-01-01`)).to.deep.equal([]);
    });
  }

  it("are refused at toDate if it is before fromDate", () => {
    const fault = ["DT01", "toDate", { DATE: "DATE_TO_OLD" }];
    expect(faultsOf("fromDate=2024-05-02&toDate=2024-05-01")).to.deep.equal([fault]);
    expect(faultsOf("fromDate=2024-05-01T10:00:00.001Z&toDate=2024-05-01T10:00:00.000Z")).to.deep.equal([
      fault,
    ]);
    expect(faultsOf("fromDate=2024-05-01T10:00:01Z&toDate=2024-05-01T10:00:00Z")).to.deep.equal([fault]);
    // The same day as another moment: from noon to the end of it.
    expect(faultsOf("fromDate=2024-05-01T10:00:00Z&toDate=2024-05-01")).to.deep.equal([]);
    expect(faultsOf("fromDate=2024-05-01&toDate=2024-05-01")).to.deep.equal([]);
  });
});

describe("the faults of the list of transactions", () => {
  it("do not concern the order of two dates if one of them is refused by itself", () => {
    expect(faultsOf("fromDate=2025-01-01&toDate=2024-05-01")).to.deep.equal([
      ["DT01", "fromDate", { DATE: "DATE_IN_FUTURE" }],
    ]);
  });

  it("are all reported at once", () => {
    const text = "fromDate=2024-02-30&toDate=2025-01-01&currency=euro&page=-1&size=0&sort=id&order=up";
    expect(faultsOf(text)).to.deep.equal([
      ["PARAMETER_INVALID", "fromDate"],
      ["DT01", "toDate", { DATE: "DATE_IN_FUTURE" }],
      ["AC09", "currency"],
      ["PARAMETER_INVALID", "page"],
      ["PARAMETER_INVALID", "size"],
      ["PARAMETER_INVALID", "sort"],
      ["PARAMETER_INVALID", "order"],
    ]);
  });

  for (const [name, value] of Object.entries({
    fromDate: "2024-05-01",
    toDate: "2024-05-01",
    currency: "CZK",
    page: "1",
    size: "1",
    sort: "amount",
  })) {
    it(`include a repeated ${name}, even with the same value`, () => {
      expect(faultsOf(`${name}=${value}&${name}=${value}`)).to.deep.equal([["PARAMETER_INVALID", name]]);
    });
  }

  it("never repeat sent values", () => {
    const { faults } = read(
      "fromDate=secret&toDate=secret&currency=secret&page=secret&sort=secret&order=secret",
    );
    expect(JSON.stringify(faults)).not.to.contain("secret");
  });

  it("are the only outcome besides a query within bounds, whatever the input", () => {
    const name = fc.constantFrom("fromDate", "toDate", "currency", "page", "size", "sort", "order", "other");
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
      fc.constantFrom("2024-05-02T10:15:00 02:00", "CZK", "amount,bookingDate", "desc", "7"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const { query, faults } = readTransactionListQuery(new URLSearchParams(pairs), NOW);
        for (const { code } of faults) expect(code).to.be.oneOf(["PARAMETER_INVALID", "DT01", "AC09"]);
        if (faults.length > 0) return;
        expect(Number.isSafeInteger(query.page) && query.page >= 0).to.equal(true);
        expect(query.size).to.be.within(1, 100);
        for (const date of [query.from, query.before])
          expect(date === undefined || !Number.isNaN(date.getTime())).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });
});
