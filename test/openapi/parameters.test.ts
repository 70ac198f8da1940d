import { readAccountListQuery, readBalanceQuery } from "@cobs/cobs-model";
import type { Parameter } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import { MAX_PAGE_SIZE } from "../../packages/cobs-model/src/list-parameters.ts";
import { isNameOfCall } from "../../packages/service-edge/src/http/call-record.ts";
import { faultsBySchema, resolve } from "./check-answer.ts";
import { type Described, DOCUMENT, lookUp, OPERATIONS } from "./interface-document.ts";

const OF_ANY = ["X-Request-ID", "Action-ID"];
const OF_RESOURCE = [...OF_ANY, "TPP-Name", "TPP-Identification", "User-IP-Address", "User-Involved"];
const OF_LIST = ["page", "size", "sort", "order", "Accept-Language"];
const OF_CHANGE = ["If-Match", "If-None-Match"];

/** Table: what can be sent beside a body, by operation. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  registerApplication: OF_ANY,
  listApplications: OF_ANY,
  replaceNamedApplication: [...OF_ANY, ...OF_CHANGE],
  readApplication: [...OF_ANY, ...OF_CHANGE, "id"],
  replaceApplication: [...OF_ANY, ...OF_CHANGE, "id"],
  deleteApplication: [...OF_ANY, ...OF_CHANGE, "id"],
  renewSecret: [...OF_ANY, ...OF_CHANGE, "id"],
  renewKey: [...OF_ANY, "id"],
  pushAuthorizationRequest: OF_ANY,
  authorize: [
    ...OF_ANY,
    ...["client_id", "response_type", "redirect_uri", "scope", "state", "code_challenge"],
    ...["code_challenge_method", "request_uri", "ui_locales", "response_mode", "prompt", "resource"],
  ],
  getTokens: OF_ANY,
  revokeToken: OF_ANY,
  listAccounts: [...OF_RESOURCE, ...OF_LIST],
  readBalance: [...OF_RESOURCE, "id", "currency"],
  listTransactions: [...OF_RESOURCE, ...OF_LIST, "id", "currency", "fromDate", "toDate"],
  enterPayment: [...OF_RESOURCE, "Idempotency-Key"],
  readPaymentStatus: [...OF_RESOURCE, "paymentId"],
  readPayment: [...OF_RESOURCE, "paymentId"],
  deletePayment: [...OF_RESOURCE, "paymentId"],
  beginSigning: [...OF_RESOURCE, "paymentId"],
  readSigning: [...OF_RESOURCE, "paymentId", "signId"],
  chooseSigningMethod: [...OF_RESOURCE, "paymentId", "signId"],
  finishSigning: [...OF_RESOURCE, "paymentId", "signId"],
  checkBalanceOfPayer: OF_RESOURCE,
  checkBalanceForCard: OF_RESOURCE,
  readServerMetadata: OF_ANY,
  readOpenIdMetadata: OF_ANY,
  readKeys: OF_ANY,
  readSecurityContact: OF_ANY,
  readInterface: OF_ANY,
  readInterfaceOfApi: OF_ANY,
};

/** The parameters of an operation, those of its path too. */
function parametersOf({ operation, pointer }: Described): readonly Parameter[] {
  return operation.parameters.map(
    (value) => resolve<Parameter>({ value, pointer }, DOCUMENT.components.parameters).value,
  );
}

/** Whether the schema of a shared parameter refuses a value. */
function isRefused(name: string, value: unknown): boolean {
  return faultsBySchema(`#/components/parameters/${name}/schema`, value).length > 0;
}

describe("the description of parameters", () => {
  it("has exactly those that each operation reads", () => {
    const described = OPERATIONS.map((each) => [
      each.operation.operationId,
      parametersOf(each)
        .map(({ name }) => name)
        .toSorted(),
    ]);
    const expected = Object.entries(PARAMETERS).map(([name, all]) => [name, all.toSorted()]);
    expect(Object.fromEntries(described)).to.deep.equal(Object.fromEntries(expected));
  });

  it("has those of an authorization request also for a pushed one, except request_uri (RFC 9126 2.1)", () => {
    const [authorize] = OPERATIONS.filter(({ operation }) => operation.operationId === "authorize");
    if (authorize === undefined) throw new Error("there is no authorization");
    const names = parametersOf(authorize).flatMap((each) => (each.in === "query" ? [each.name] : []));
    const pushed = lookUp("#/components/schemas/PushedRequest/properties");
    expect(pushed).to.include.all.keys(names.filter((name) => name !== "request_uri"));
  });

  it("allows the pages and sizes that are accepted, with the same defaults (COBS PDF 1.2.8.4)", () => {
    for (const name of ["page", "size"])
      for (const value of [-1, 0, 1, 100, 101, 1.5, 1_000]) {
        const { faults } = readAccountListQuery(new URLSearchParams({ [name]: String(value) }));
        expect(isRefused(name, value), `${name} ${value}`).to.equal(faults.length > 0);
      }
    const { size, page } = DOCUMENT.components.parameters;
    expect([page?.schema.default, size?.schema.default]).to.deep.equal([0, MAX_PAGE_SIZE]);
    expect(size?.description).to.include(`At most ${MAX_PAGE_SIZE},`);
  });

  it("allows the currency codes and call ids that are accepted", () => {
    const place = "#/components/schemas/CurrencyCode";
    for (const currency of ["CZK", "czk", "CZ", "CZKK", ""]) {
      const { faults } = readBalanceQuery(new URLSearchParams({ currency }));
      expect(faultsBySchema(place, currency).length > 0, currency).to.equal(faults.length > 0);
    }
    for (const id of ["a", "a".repeat(60), "a".repeat(61), "a b", "A-1._:", "č", ""])
      for (const name of ["X-Request-ID", "Action-ID"])
        expect(isRefused(name, id), `${name} ${id}`).to.equal(!isNameOfCall(id));
  });
});
