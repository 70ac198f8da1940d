import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { ACCOUNTS } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { accountIdsOf, MANY, ONE } from "./small-bank.ts";

interface AccountEntry {
  readonly id: string;
  readonly identification: { readonly iban: string };
  readonly currency: string;
  readonly nameI18N: string;
}

describe("GET /my/accounts (COBS 3.1.3)", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());

  const list = (query: string, headers: Record<string, string | string[]> = {}) =>
    resource.call({ token, path: `${ACCOUNTS}${query}`, headers });
  const accountsOf = (answer: RawAnswer): AccountEntry[] => JSON.parse(answer.body).accounts;
  const envelopeOf = ({ body }: RawAnswer) => {
    const { accounts: _accounts, ...envelope } = JSON.parse(body);
    return envelope;
  };
  const faultsOf = ({ body }: RawAnswer): { error: string; scope: string }[] =>
    JSON.parse(body).errors.map(({ error, scope }: { error: string; scope: string }) => ({ error, scope }));

  describe("paging (COBS 1.2.8.4)", () => {
    it("returns all accounts on one page when no size is given", async () => {
      const answer = await list("");
      expect(envelopeOf(answer)).to.deep.equal({
        pageNumber: 0,
        pageCount: 1,
        nextPage: null,
        pageSize: 35,
        totalCount: 35,
      });
      expect(accountsOf(answer).map(({ id }) => id)).to.deep.equal(accountIdsOf(MANY));
    });

    it("numbers pages from zero and names the next page", async () => {
      expect(envelopeOf(await list("?size=10"))).to.include({
        pageNumber: 0,
        pageCount: 4,
        nextPage: 1,
        pageSize: 10,
      });
      expect(envelopeOf(await list("?size=10&page=2"))).to.include({
        pageNumber: 2,
        nextPage: 3,
        pageSize: 10,
      });
    });

    it("ends with a shorter page that names no next page (A-06)", async () => {
      const answer = await list("?size=10&page=3");
      expect(envelopeOf(answer)).to.include({ pageNumber: 3, nextPage: null, pageSize: 5, totalCount: 35 });
      expect(accountsOf(answer)).to.have.length(5);
    });

    it("returns each account exactly once across all pages", async () => {
      const pages = [];
      for (let page = 0; page < 4; page += 1) pages.push(...accountsOf(await list(`?size=10&page=${page}`)));
      expect(pages.map(({ id }) => id)).to.deep.equal(accountIdsOf(MANY));
    });

    it("accepts an oversized page size and returns all accounts", async () => {
      expect(envelopeOf(await list("?size=9007199254740993"))).to.include({ pageCount: 1, pageSize: 35 });
    });

    for (const page of ["1", "4", "999999999999999", "9999999999999999999"]) {
      it(`refuses page ${page}, which does not exist (A-07: 400)`, async () => {
        const answer = await list(`?page=${page}`);
        expect(answer.status).to.equal(400);
        expect(faultsOf(answer)).to.deep.equal([{ error: "PAGE_NOT_FOUND", scope: "page" }]);
      });
    }

    it("returns an empty first page when the PSU chose no account (A-07)", async () => {
      const answer = await resource.call({ token: resource.giveToken("aisp-pisp", { account_ids: [] }) });
      expect(answer.status).to.equal(200);
      expect(JSON.parse(answer.body)).to.deep.equal({
        pageNumber: 0,
        pageCount: 0,
        nextPage: null,
        pageSize: 0,
        totalCount: 0,
        accounts: [],
      });
    });
  });

  describe("hostile parameters", () => {
    const INVALID: readonly (readonly [string, string])[] = [
      ["?page=-1", "page"],
      ["?page=1.5", "page"],
      ["?page=", "page"],
      ["?page=0x1", "page"],
      ["?page=1e3", "page"],
      ["?page=%2B1", "page"],
      ["?page=NaN", "page"],
      ["?page=0&page=1", "page"],
      ["?size=0", "size"],
      ["?size=-1", "size"],
      ["?size=", "size"],
      ["?size=ten", "size"],
      ["?size=1&size=2", "size"],
      ["?sort=", "sort"],
      ["?sort=nosuch", "sort"],
      ["?sort=id,", "sort"],
      ["?sort=id,id", "sort"],
      ["?sort=__proto__", "sort"],
      ["?sort=constructor", "sort"],
      ["?sort=id%3Bselect%20pg_sleep(5)", "sort"],
      ["?sort=id%27%20or%201%3D1--", "sort"],
      ["?sort=id&order=up", "order"],
      ["?sort=id&order=asc,desc", "order"],
      ["?order=desc", "order"],
      ["?sort=id&order=asc&order=desc", "order"],
    ];
    for (const [query, scope] of INVALID) {
      it(`are refused by name: ${query} (COBS 1.2.8)`, async () => {
        const answer = await list(query);
        expect(answer.status).to.equal(400);
        expect(faultsOf(answer)).to.deep.equal([{ error: "PARAMETER_INVALID", scope }]);
      });
    }

    it("are all reported in one answer (COBS 1.2.10.1)", async () => {
      const answer = await list("?page=-1&size=0&sort=nosuch&order=up");
      expect(faultsOf(answer).map(({ scope }) => scope)).to.have.members(["page", "size", "sort", "order"]);
    });

    it("are ignored when their name is unknown", async () => {
      expect((await list("?fields=id&__proto__=1&psu=psu-one&sub=psu-one")).status).to.equal(200);
    });

    it("are refused with 400 when their bytes are not valid text", async () => {
      expect((await list("?sort=%00")).status).to.equal(400);
      expect((await list("?sort=%ff%fe")).status).to.equal(400);
      expect((await list("?sort=%")).status).to.equal(400);
    });
  });

  describe("order (COBS 1.2.8.2, A-08)", () => {
    it("is by the requested field", async () => {
      const ibans = accountsOf(await list("?sort=iban")).map(({ identification }) => identification.iban);
      expect(ibans).to.deep.equal([...ibans].sort());
      expect(new Set(ibans).size).to.equal(35);
    });

    it("is reversed by desc in any letter case", async () => {
      for (const order of ["desc", "DESC", "Desc"]) {
        const ids = accountsOf(await list(`?sort=id&order=${order}`)).map(({ id }) => id);
        expect(ids).to.deep.equal([...accountIdsOf(MANY)].reverse());
      }
    });

    it("is by several fields, each empty direction meaning the default", async () => {
      const keys = accountsOf(await list("?sort=currency,id&order=,desc")).map(({ currency, id }) => ({
        currency,
        id,
      }));
      const wanted = [...keys].sort(
        (one, other) => one.currency.localeCompare(other.currency) || other.id.localeCompare(one.id),
      );
      expect(keys).to.deep.equal(wanted);
    });

    it("of names follows the language of the answer", async () => {
      const first = async (language: string) =>
        accountsOf(await list("?sort=nameI18N&size=1", { "accept-language": language }))[0]?.id;
      expect(await first("cs")).to.equal("psu-many-01");
      expect(await first("en")).to.equal("psu-many-35");
    });
  });

  describe("accounts in the answer", () => {
    it("are only those that the PSU chose", async () => {
      const chosen = ["psu-many-03", "psu-many-30"];
      const answer = await resource.call({ token: resource.giveToken("aisp-pisp", { account_ids: chosen }) });
      expect(accountsOf(answer).map(({ id }) => id)).to.deep.equal(chosen);
      expect(envelopeOf(answer)).to.include({ totalCount: 2 });
    });

    it("are never another PSU's, even if a consent names them (RS-09)", async () => {
      const strange = resource.giveToken("aisp-pisp", { account_ids: [...accountIdsOf(ONE), "psu-many-01"] });
      const ids = accountsOf(await resource.call({ token: strange })).map(({ id }) => id);
      expect(ids).to.deep.equal(["psu-many-01"]);
    });

    it("do not depend on what the caller says about itself (RS-11)", async () => {
      const headers = {
        "x-psu-id": ONE,
        "tpp-identification": "CZ1",
        "tpp-name": "Somebody else",
        "user-involved": "true",
      };
      expect(accountsOf(await list("", headers))).to.have.length(35);
    });
  });

  describe("headers", () => {
    it("give the language, and follow Accept-Language (COBS 1.2.6)", async () => {
      const czech = await list("?size=1");
      expect(czech.headers["content-language"]).to.equal("cs");
      expect(accountsOf(czech)[0]?.nameI18N).to.equal("Účet 00");
      const english = await list("?size=1", { "accept-language": "de;q=0.9, en-GB;q=0.8, cs;q=0.1" });
      expect(english.headers["content-language"]).to.equal("en");
      expect(accountsOf(english)[0]?.nameI18N).to.equal("Account 99");
    });

    it("forbid caching and do not name the server software (COBS chapter 5)", async () => {
      const { headers } = await list("?size=1");
      expect(headers["cache-control"]).to.equal("no-store");
      expect(headers["x-content-type-options"]).to.equal("nosniff");
      expect(headers.server).to.equal(undefined);
      expect(headers["x-powered-by"]).to.equal(undefined);
    });

    it("repeat X-Request-ID and Action-ID when they are well formed (COBS OpenAPI)", async () => {
      const { headers } = await list("", { "x-request-id": "4f1c-9", "action-id": "paging-7" });
      expect(headers).to.include({ "x-request-id": "4f1c-9", "action-id": "paging-7" });
    });

    it("never repeat a malformed X-Request-ID or Action-ID, not even on refusals", async () => {
      const { headers } = await resource.call({ headers: { "x-request-id": "<b>", "action-id": "a b" } });
      expect(headers["x-request-id"]).to.match(/^[0-9a-f-]{36}$/);
      expect(headers["action-id"]).to.equal(undefined);
    });

    it("are all optional except Authorization (A-11, A-12)", async () => {
      expect((await list("")).status).to.equal(200);
    });

    for (const accept of [
      "application/json",
      "*/*",
      "application/*",
      "text/html, application/json;q=0.1",
      "*/*;q=0.1",
    ]) {
      it(`permit a JSON answer: Accept ${accept}`, async () => {
        expect((await list("", { accept })).status).to.equal(200);
      });
    }

    it("with lists may be split over several lines or be empty (RFC 9110 section 5.2)", async () => {
      const headers = { accept: ["text/html", "application/json"], "accept-language": ["de", "en"] };
      const answer = await list("", headers);
      expect(answer.status, answer.body).to.equal(200);
      expect(answer.headers["content-language"]).to.equal("en");
      expect((await list("", { accept: "" })).status).to.equal(200);
    });

    for (const accept of [
      "application/xml",
      "text/html",
      "application/json;q=0",
      "*/*, application/json;q=0",
      "x",
    ]) {
      it(`that exclude JSON get 415: Accept ${accept} (A-13)`, async () => {
        const answer = await list("", { accept });
        expect(answer.status).to.equal(415);
        expect(faultsOf(answer)).to.deep.equal([{ error: "UNSUPPORTED_MEDIA_TYPE", scope: "Accept" }]);
      });
    }

    it("that exclude JSON are logged with the TPP that sent them", async () => {
      expect((await list("", { accept: "text/html" })).status).to.equal(415);
      const { organisationIdentifier } = resource.tpp("aisp-pisp");
      expect(resource.logLines.findLast(({ status }) => status === 415)).to.include({
        organisationIdentifier,
      });
    });

    it("that may occur only once are refused by name when sent twice", async () => {
      const answer = await list("", { "user-involved": ["true", "false"] });
      expect(answer.status).to.equal(400);
      expect(faultsOf(answer)).to.deep.equal([{ error: "PARAMETER_INVALID", scope: "User-Involved" }]);
    });
  });
});
