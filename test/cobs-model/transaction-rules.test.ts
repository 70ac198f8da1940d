import { expect } from "chai";
import { faultsBySchema } from "../openapi/check-answer.ts";
import {
  childrenOf,
  faultsOf,
  parentOf,
  put,
  sampleOf,
  type Tree,
  wholeTransaction,
} from "./sample-transactions.ts";
import { COLUMNS, type Column, ROWS, type Row } from "./transaction-tables.ts";

/** The whole transaction of a kind with one value put elsewhere, or taken away; of choices on the way, those chosen. */
function changed(column: Column, path: string, value: unknown): Tree {
  const transaction = wholeTransaction(column);
  for (const row of ROWS.filter((each) => leadsTo(each, path))) {
    if (row.occurrence[column] !== "C") continue;
    const others = isExclusive(row, column) ? othersOf(row, column) : [];
    for (const other of others) put(transaction, other.path, undefined);
    put(transaction, row.path, sampleOf(column, row.path));
  }
  put(transaction, path, value);
  return transaction;
}

const leadsTo = ({ path }: Row, end: string) =>
  path === end || end.startsWith(`${path}.`) || end.startsWith(`${path}[`);

/** The bank of a foreign payment is told in one or more of the five ways, everything else in one. */
const isExclusive = ({ path, occurrence }: Row, column: Column) =>
  occurrence[column] === "C" && !(column === "foreign" && /Agent\.[a-zA-Z]+\.[a-zA-Z]+$/.test(path));

/** The siblings of an element of a choice. */
const othersOf = (row: Row, column: Column) =>
  childrenOf(parentOf(row.path)).filter((each) => each !== row && each.occurrence[column] === "C");

/** The path right above, of an item where it is one. */
const above = (path: string) => path.slice(0, path.lastIndexOf("."));

/** The highest element on the way that the kind does not have. */
const unusedOn = (path: string, column: Column) =>
  ROWS.find((row) => leadsTo(row, path) && row.occurrence[column] === "-")?.path;

function withoutAny(row: Row, column: Column): Tree {
  const transaction = changed(column, row.path, undefined);
  for (const other of othersOf(row, column)) put(transaction, other.path, undefined);
  return transaction;
}

/** What a row of the tables says, tried on a transaction. */
const TRIALS: Readonly<Record<string, (row: Row, column: Column) => void>> = {
  M: ({ path }, column) => {
    expect(faultsOf(changed(column, path, undefined))).to.deep.equal([`FIELD_MISSING ${path}`]);
    expect(faultsOf(changed(column, path, null))).to.deep.equal([`FIELD_MISSING ${path}`]);
  },
  O: ({ path }, column) => {
    expect(faultsOf(changed(column, path, undefined))).to.deep.equal([]);
    expect(faultsOf(changed(column, path, null))).to.deep.equal([]);
    expect(faultsOf(changed(column, path, sampleOf(column, path)))).to.deep.equal([]);
  },
  "-": ({ path }, column) => {
    const unused = changed(column, path, sampleOf(column, path));
    expect(faultsOf(unused)).to.deep.equal([`FIELD_INVALID ${unusedOn(path, column)}`]);
  },
  C: (row, column) => {
    expect(faultsOf(changed(column, row.path, sampleOf(column, row.path)))).to.deep.equal([]);
    expect(faultsOf(withoutAny(row, column))).to.deep.equal([`FIELD_MISSING ${above(row.path)}`]);
    for (const other of othersOf(row, column)) {
      const both = changed(column, row.path, sampleOf(column, row.path));
      put(both, other.path, sampleOf(column, other.path));
      const expected = isExclusive(row, column) ? [`FIELD_INVALID ${above(row.path)}`] : [];
      expect(faultsOf(both)).to.deep.equal(expected);
    }
  },
};

const SAID: Readonly<Record<string, string>> = {
  M: "must have",
  O: "may omit or have as null (A-04)",
  "-": "must not have",
  C: "must have, or an alternative to it,",
};

describe("the rules for elements by kind of transaction (COBS 3.1.5.1)", () => {
  for (const column of COLUMNS) {
    it(`accept a ${column} transaction with all elements of its column`, () => {
      expect(faultsOf(wholeTransaction(column))).to.deep.equal([]);
    });

    for (const row of ROWS) {
      const letter = row.occurrence[column];
      it(`say that a ${column} transaction ${SAID[letter]} ${row.path}`, () => {
        TRIALS[letter]?.(row, column);
      });
    }
  }
});

describe("the counter value of a converted amount (COBS 3.1.5.1)", () => {
  const path = "details.amountDetails.counterValueAmount.amount.currency";
  for (const column of COLUMNS)
    it(`of a ${column} transaction is in the currency of the account, like its amount`, () => {
      expect(faultsOf(changed(column, path, "EUR"))).to.deep.equal([]);
      expect(faultsOf(changed(column, path, "CZK"))).to.deep.equal([`FIELD_INVALID ${path}`]);
    });

  it("is reported with its place in a list", () => {
    const foreign = changed("foreign", path, "CZK");
    expect(faultsOf(foreign, "transactions[3]")).to.deep.equal([`FIELD_INVALID transactions[3].${path}`]);
  });
});

describe("the length of texts (COBS chapter 4, MaxNText)", () => {
  for (const column of COLUMNS) {
    for (const { path, max, occurrence } of ROWS) {
      if (max === undefined || occurrence[column] === "-") continue;
      it(`of a ${column} transaction is at most ${max} at ${path}`, () => {
        expect(faultsOf(changed(column, path, "a".repeat(max)))).to.deep.equal([]);
        expect(faultsOf(changed(column, path, "a".repeat(max + 1)))).to.deep.equal([`FIELD_INVALID ${path}`]);
      });
    }
  }

  it("is counted in characters, whatever their encoding", () => {
    const path = "details.remittanceInformation.unstructured";
    expect(faultsOf(changed("domestic", path, "😀".repeat(140)))).to.deep.equal([]);
    expect(faultsOf(changed("domestic", path, "😀".repeat(141)))).to.deep.equal([`FIELD_INVALID ${path}`]);
  });
});

describe("the lines of an address (COBS 3.1.5.1)", () => {
  const addressOf = (lines: number) => ({ country: "CZ", addressLine: Array(lines).fill("a") });
  for (const column of COLUMNS) {
    for (const { path, lines, occurrence } of ROWS) {
      if (lines === undefined || occurrence[column] === "-") continue;
      it(`of a ${column} transaction are at most ${lines} at ${path}`, () => {
        expect(faultsOf(changed(column, path, addressOf(lines)))).to.deep.equal([]);
        expect(faultsOf(changed(column, path, addressOf(lines + 1)))).to.deep.equal([
          `FIELD_INVALID ${path}.addressLine`,
        ]);
      });
    }
  }

  it("are in the OpenAPI description as many as the longest address may have", () => {
    const most = Math.max(...ROWS.map(({ lines = 0 }) => lines));
    const faults = (lines: number) => faultsBySchema("#/components/schemas/PostalAddress", addressOf(lines));
    expect(faults(most)).to.deep.equal([]);
    expect(faults(most + 1)).to.have.length(1);
  });
});
