import { parsePsuId } from "@cobs/cobs-model";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { createPsuAccounts } from "../../packages/auth/src/bank/resource-psu-accounts.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";

const ACCOUNT = {
  id: "a-02c4d8",
  iban: "CZ6508000000192000145399",
  number: "19-2000145399",
  bankCode: "0800",
  currency: "CZK",
  names: { cs: "Účet", en: "Account" },
  products: { cs: "Konto", en: "Product" },
};

const { log, lines } = readableLog();
const CALL = { requestId: "r1", traceContext: undefined };

function accountsOf(body: string, status = 200) {
  const client = { get: async () => ({ status, header: () => undefined, body }) };
  return createPsuAccounts(client, log).accountsOf(parsePsuId("anna"), CALL);
}

const accountsIn = (account: object) => accountsOf(JSON.stringify({ accounts: [account] }));

describe("A PSU's accounts, as read from resource", () => {
  it("may lack a name, a product, a Czech number or a bank code that the core system does not know", async () => {
    for (const name of ["names", "products", "number", "bankCode"])
      expect(await accountsIn({ ...ACCOUNT, [name]: null }), name).to.deep.equal([
        { ...ACCOUNT, [name]: null },
      ]);
  });

  it("are refused when a member is missing or has a wrong type", async () => {
    for (const name of ["iban", "names", "products", "number", "bankCode"])
      for (const value of [undefined, 1]) {
        const refusal = await rejectionOf(accountsIn({ ...ACCOUNT, [name]: value }));
        expect(refusal, name).to.be.instanceOf(PrivateServiceUnavailable);
      }
  });

  it("are requested for no longer than the caller waits", async () => {
    const givenUp = AbortSignal.abort();
    const signals: unknown[] = [];
    const body = JSON.stringify({ accounts: [] });
    const client = {
      get: async (_path: string, _headers?: unknown, signal?: AbortSignal) => {
        signals.push(signal);
        return { status: 200, header: () => undefined, body };
      },
    };
    await createPsuAccounts(client, log).accountsOf(parsePsuId("anna"), CALL, givenUp);
    expect(signals).to.deep.equal([givenUp]);
  });

  for (const [what, body, status, reason] of [
    [
      "a wrong member",
      JSON.stringify({ accounts: [{ ...ACCOUNT, iban: "CZ00" }] }),
      200,
      "iban is not an IBAN",
    ],
    [
      "no JSON",
      `{"accounts": [{"name": "Hana"`,
      200,
      "the body is not acceptable JSON: at line 1, column 30, the end of an object, }, is missing",
    ],
    ["another status", "", 503, "status 503"],
  ] as const)
    it(`are refused with ${what}; the log names the call and the reason, without account data`, async () => {
      expect(await rejectionOf(accountsOf(body, status))).to.be.instanceOf(PrivateServiceUnavailable);
      expect(lines.at(-1)).to.include({ requestId: "r1", reason });
    });
});
