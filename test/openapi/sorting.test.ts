import { readAccountListQuery, readTransactionListQuery, TRANSACTION_SORT_FIELDS } from "@cobs/cobs-model";
import { expect } from "chai";
import { faultsBySchema } from "./check-answer.ts";
import { below, DOCUMENT, operationOf } from "./interface-document.ts";

const NOW = new Date("2024-05-02T08:00:00.000Z");
const LISTS = [
  { operationId: "listAccounts", read: readAccountListQuery, fields: ["id", "iban", "currency", "nameI18N"] },
  {
    operationId: "listTransactions",
    read: (query: URLSearchParams) => readTransactionListQuery(query, NOW),
    fields: TRANSACTION_SORT_FIELDS,
  },
];

/** The place of the schema of the parameter `sort` of an operation. */
function sortSchemaOf(operationId: string): string {
  const { operation, pointer } = operationOf(operationId);
  const index = operation.parameters.findIndex((each) => "name" in each && each.name === "sort");
  return below(pointer, "parameters", String(index), "schema");
}

describe("the description of sorting", () => {
  for (const { operationId, read, fields } of LISTS)
    it(`allows exactly the fields of ${operationId} that are accepted (COBS PDF 1.2.8.2, A-08)`, () => {
      const [one, other] = fields;
      for (const sort of [...fields, `${one},${other}`, "", ",", `${one},`, `${one}, ${other}`, "colour"]) {
        const told = faultsBySchema(sortSchemaOf(operationId), sort);
        const { faults } = read(new URLSearchParams({ sort }));
        expect(told.length > 0, sort).to.equal(faults.length > 0);
      }
    });

  it("says where entries that are not booked stand in the order of booking", () => {
    const { parameters } = operationOf("listTransactions").operation;
    const sort = parameters.find((each) => "name" in each && each.name === "sort");
    expect(sort).to.have.property("description").that.includes("Blocked entries have not been booked");
  });

  it("allows the directions that are accepted, including empty ones (COBS PDF 1.2.8.2)", () => {
    expect(DOCUMENT.components.parameters.order).to.have.property("description").that.includes("not more");
    const place = "#/components/parameters/order/schema";
    for (const order of ["asc", "DESC", "", ",desc", "Desc,aSC", "up", "desc,up", "asc desc"]) {
      const { faults } = readAccountListQuery(new URLSearchParams({ sort: "iban,currency", order }));
      expect(faultsBySchema(place, order).length > 0, order).to.equal(faults.length > 0);
    }
  });
});
