import { ACCOUNTS, type TestCall } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { HISTORY, MULTI_CURRENCY } from "../resource/small-movements.ts";
import { balanceOf, type ExpectedError, expectErrors, transactionsOf } from "./account-information.ts";

type Row = readonly [
  what: string,
  path: string,
  status: number,
  errors: readonly ExpectedError[],
  call?: TestCall,
];

const LIST = ACCOUNTS;
const BALANCE = balanceOf(HISTORY);
const TRANSACTIONS = transactionsOf(HISTORY);
const NO_CERTIFICATE = {
  error: "UNAUTHORISED",
  parameters: { CERTIFICATE: "certificate_absent" },
};
const TOO_OLD = { DATE: "DATE_TO_OLD" };
const IN_FUTURE = { DATE: "DATE_IN_FUTURE" };

/** Rows of the tables of errors (COBS 3.1.3 to 3.1.5) that R1, R2 and R3 share. */
const COMMON = [LIST, BALANCE, TRANSACTIONS].flatMap((path): readonly Row[] => [
  ["no certificate", path, 401, [NO_CERTIFICATE], { certificate: null }],
  ["no token", path, 401, [{ error: "UNAUTHORISED" }], { headers: { authorization: "" } }],
  ["an unknown token", path, 401, [{ error: "UNAUTHORISED" }], { headers: { authorization: "Bearer x" } }],
  ["outside of the licence", path, 403, [{ error: "FORBIDDEN" }], { certificate: "pisp" }],
  [
    "no JSON wanted",
    path,
    415,
    [{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Accept" }],
    { headers: { accept: "text/html" } },
  ],
  [
    "no certificate, and no JSON wanted: who calls comes first",
    path,
    401,
    [NO_CERTIFICATE],
    { certificate: null, headers: { accept: "text/html" } },
  ],
  [
    "an unknown token, and a body that is not JSON",
    path,
    401,
    [{ error: "UNAUTHORISED" }],
    {
      headers: { authorization: "Bearer x", "content-type": "text/plain", "content-length": "1" },
      body: "x",
    },
  ],
  [
    "a body that is not JSON",
    path,
    415,
    [{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Content-Type" }],
    { headers: { "content-type": "text/plain", "content-length": "1" }, body: "x" },
  ],
  [
    "a body in another charset",
    path,
    415,
    [{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Content-Type" }],
    {
      headers: { "content-type": 'application/json; charset="utf-16"', "content-length": "2" },
      body: "{}",
    },
  ],
  [
    "a presence that is neither true nor false",
    path,
    400,
    [{ error: "PARAMETER_INVALID", scope: "User-Involved" }],
    { headers: { "user-involved": "maybe" } },
  ],
]);

const OWN: readonly Row[] = [
  ["R1, no such page", `${LIST}?page=9`, 400, [{ error: "PAGE_NOT_FOUND", scope: "page" }]],
  ["R1, an unknown sort field", `${LIST}?sort=x`, 400, [{ error: "PARAMETER_INVALID", scope: "sort" }]],
  [
    "R1, several faults at once",
    `${LIST}?sort=x&page=x`,
    400,
    [
      { error: "PARAMETER_INVALID", scope: "sort" },
      { error: "PARAMETER_INVALID", scope: "page" },
      { error: "PARAMETER_INVALID", scope: "User-Involved" },
    ],
    { headers: { "user-involved": "1" } },
  ],
  ["R2, an unknown account", balanceOf("nobody"), 404, [{ error: "ID_NOT_FOUND", scope: "id" }]],
  ["R2, another currency", `${BALANCE}?currency=EUR`, 400, [{ error: "AC09", scope: "currency" }]],
  ["R2, a malformed currency", `${BALANCE}?currency=crowns`, 400, [{ error: "AC09", scope: "currency" }]],
  [
    "R2, a currency that an account of several lacks",
    balanceOf(MULTI_CURRENCY, "?currency=GBP"),
    400,
    [{ error: "AC09", scope: "currency" }],
  ],
  [
    "R2, an unknown account, before any other fault",
    balanceOf("nobody", "?currency=x"),
    404,
    [{ error: "ID_NOT_FOUND", scope: "id" }],
    { headers: { "user-involved": "x" } },
  ],
  [
    "R2, several faults at once",
    `${BALANCE}?currency=EUR`,
    400,
    [
      { error: "AC09", scope: "currency" },
      { error: "PARAMETER_INVALID", scope: "User-Involved" },
    ],
    { headers: { "user-involved": "yes" } },
  ],
  ["R3, an unknown account", transactionsOf("nobody"), 404, [{ error: "ID_NOT_FOUND", scope: "id" }]],
  ["R3, no such page", `${TRANSACTIONS}?page=9`, 404, [{ error: "PAGE_NOT_FOUND", scope: "page" }]],
  [
    "R3, an unknown sort field",
    `${TRANSACTIONS}?sort=x`,
    400,
    [{ error: "PARAMETER_INVALID", scope: "sort" }],
  ],
  ["R3, another currency", `${TRANSACTIONS}?currency=EUR`, 400, [{ error: "AC09", scope: "currency" }]],
  [
    "R3, a date too old",
    `${TRANSACTIONS}?fromDate=2001-01-01`,
    400,
    [{ error: "DT01", scope: "fromDate", parameters: TOO_OLD }],
  ],
  [
    "R3, a date in the future",
    `${TRANSACTIONS}?toDate=2999-01-01`,
    400,
    [{ error: "DT01", scope: "toDate", parameters: IN_FUTURE }],
  ],
  [
    "R3, several faults at once, the bank's own among them",
    `${TRANSACTIONS}?currency=EUR&fromDate=2001-01-01&toDate=2999-01-01&page=-1&size=0&sort=x&order=up`,
    400,
    [
      { error: "AC09", scope: "currency" },
      { error: "DT01", scope: "fromDate", parameters: TOO_OLD },
      { error: "DT01", scope: "toDate", parameters: IN_FUTURE },
      { error: "PARAMETER_INVALID", scope: "page" },
      { error: "PARAMETER_INVALID", scope: "size" },
      { error: "PARAMETER_INVALID", scope: "sort" },
      { error: "PARAMETER_INVALID", scope: "order" },
    ],
  ],
  [
    "R3, an unknown account, before any other fault",
    transactionsOf("nobody", "?currency=x&fromDate=x&page=x"),
    404,
    [{ error: "ID_NOT_FOUND", scope: "id" }],
  ],
];

describe("COBS 2.0, 3.1.3 to 3.1.5 errors of account information", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource();
  });
  after(() => resource.stop());

  for (const [what, path, status, errors, call] of [...COMMON, ...OWN]) {
    it(`${what}: ${status} ${errors.map(({ error }) => error).join(" ")} (${path.slice(ACCOUNTS.length)})`, async () => {
      const token = resource.giveToken(call?.certificate ?? "aisp-pisp");
      expectErrors(await resource.call({ token, path, ...call }), status, ...errors);
    });
  }

  it("a token without the scope: 403 FORBIDDEN", async () => {
    for (const path of [LIST, BALANCE, TRANSACTIONS]) {
      const token = resource.giveToken("aisp-pisp", { scope: "pisp", consented_services: ["pisp"] });
      expectErrors(await resource.call({ token, path }), 403, { error: "FORBIDDEN" });
    }
  });

  it("another host, method or path: the same error document (1.2.10)", async () => {
    const token = resource.giveToken();
    const elsewhere = { host: "elsewhere.example" };
    expectErrors(await resource.call({ token, path: BALANCE, headers: elsewhere }), 421, {
      error: "NARR",
      scope: "Host",
    });
    expectErrors(await resource.call({ token, path: BALANCE, method: "DELETE" }), 405, { error: "NARR" });
    expectErrors(await resource.call({ token, path: `${BALANCE}/` }), 404, { error: "NOT_FOUND" });
  });
});
