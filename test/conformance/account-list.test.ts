import { expect } from "chai";
import { ACCOUNTS } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";

const ENVELOPE = ["pageNumber", "pageCount", "nextPage", "pageSize", "totalCount", "accounts"];
const ACCOUNT = ["id", "identification", "currency", "servicer", "nameI18N", "productI18N"];

/** Tests the wire format of `GET /my/accounts`; its behaviour is tested in `test/resource`. */
describe("COBS 2.0, 3.1.3 account list", () => {
  let resource: RunningResource;
  let body: Record<string, unknown>;
  let accounts: Record<string, Record<string, unknown>>[];
  before(async () => {
    resource = await runResource();
    const answer = await resource.call({ token: resource.giveToken(), path: `${ACCOUNTS}?size=2` });
    body = JSON.parse(answer.body);
    accounts = JSON.parse(answer.body).accounts;
  });
  after(() => resource.stop());

  it("has the flat envelope and nothing else at its root (PDF 1.2.8.4)", () => {
    expect(body).to.have.all.keys(...ENVELOPE);
  });

  it("counts in integers from zero (PDF 1.2.8.4, A-05)", () => {
    expect(body).to.include({ pageNumber: 0, pageCount: 18, nextPage: 1, pageSize: 2, totalCount: 35 });
  });

  it("writes null for the page after the last one (A-05)", async () => {
    const last = await resource.call({ token: resource.giveToken(), path: `${ACCOUNTS}?size=2&page=17` });
    expect(JSON.parse(last.body)).to.include({ nextPage: null, pageSize: 1 });
  });

  it("describes each account by the same six elements (3.1.3, PDF 1.2.3)", () => {
    expect(accounts).to.have.length(2);
    for (const account of accounts) expect(account).to.have.all.keys(...ACCOUNT);
  });

  it("names an account by an opaque id, never by its number (3.1.3)", () => {
    for (const { id, identification } of accounts) {
      expect(id).to.be.a("string");
      expect(String(identification?.iban)).not.to.include(String(id));
    }
  });

  it("identifies an account by an IBAN of at most 34 and another number of at most 35 characters (3.1.3, A-34)", () => {
    for (const { identification } of accounts) {
      expect(identification).to.have.all.keys("iban", "other");
      expect(identification?.iban).to.match(/^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/);
      expect(identification?.other).to.match(/^(\d{2,6}-)?\d{2,10}$/);
    }
  });

  it("gives the currency as a code of ISO 4217 (3.1.3)", () => {
    for (const { currency } of accounts) expect(currency).to.match(/^[A-Z]{3}$/);
  });

  it("names the bank of each account: bank code, country of ISO 3166, BIC (3.1.3)", () => {
    for (const { servicer } of accounts) {
      expect(servicer).to.have.all.keys("bankCode", "countryCode", "bic");
      expect(servicer?.bankCode).to.match(/^\d{4}$/);
      expect(servicer?.countryCode).to.match(/^[A-Z]{2}$/);
      expect(servicer?.bic).to.match(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/);
    }
  });

  it("is JSON in UTF-8 that no cache keeps (PDF 1.2.4, 1.2.5, chapter 5)", async () => {
    const { headers } = await resource.call({ token: resource.giveToken() });
    expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
    expect(headers).to.include({ "cache-control": "no-store", pragma: "no-cache" });
    expect(headers["content-language"]).to.equal("cs");
  });

  describe("errors (PDF 1.2.10.1)", () => {
    const ROWS = [
      {
        what: "no certificate",
        status: 401,
        error: "UNAUTHORISED",
        parameters: { CERTIFICATE: "certificate_absent" },
        call: { certificate: null },
      },
      { what: "no token", status: 401, error: "UNAUTHORISED", call: {} },
      { what: "outside the licence", status: 403, error: "FORBIDDEN", call: { certificate: "pisp" } },
      { what: "no such page", status: 400, error: "PAGE_NOT_FOUND", scope: "page", query: "?page=9" },
      {
        what: "unknown sort field",
        status: 400,
        error: "PARAMETER_INVALID",
        scope: "sort",
        query: "?sort=nosuch",
      },
      { what: "unknown path", status: 404, error: "NOT_FOUND", call: { path: "/cobs/2.0/nothing" } },
      {
        what: "an Accept without JSON",
        status: 415,
        error: "UNSUPPORTED_MEDIA_TYPE",
        scope: "Accept",
        accept: "text/html",
      },
    ];
    for (const { what, status, error, scope, parameters, query, accept, call } of ROWS) {
      it(`${what}: ${status} ${error}, with every member present (A-04)`, async () => {
        const right = { token: resource.giveToken(), path: `${ACCOUNTS}${query ?? ""}` };
        const headers = accept === undefined ? {} : { accept };
        const answer = await resource.call(call ?? { ...right, headers });
        expect(answer.status).to.equal(status);
        const { errors, ...others } = JSON.parse(answer.body);
        expect(others).to.deep.equal({});
        expect(errors).to.have.length(1);
        expect(errors[0]).to.have.all.keys("error", "scope", "parameters", "message");
        expect(errors[0]).to.deep.include({ error, scope: scope ?? null, parameters: parameters ?? null });
        expect(errors[0].message).to.be.a("string");
      });
    }

    it("several faults of one status: all at once (COBS 1.2.10.1)", async () => {
      const answer = await resource.call({ token: resource.giveToken(), path: `${ACCOUNTS}?page=x&size=x` });
      const errors: { error: string }[] = JSON.parse(answer.body).errors;
      expect(errors.map(({ error }) => error)).to.deep.equal(["PARAMETER_INVALID", "PARAMETER_INVALID"]);
    });
  });
});
