import { expect } from "chai";
import { runSql } from "../journeys/run-sql.ts";
import { ACCOUNTS } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { accountIdsOf, MANY } from "../resource/small-bank.ts";
import { EMPTY, HISTORY, RECENT } from "../resource/small-movements.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { envelopeOf, expectErrors, referencesOf, transactionsOf } from "./account-information.ts";

/** Paged lists: path, entries, and the status of a page past the end. */
const LISTS = [
  {
    name: "accounts",
    path: ACCOUNTS,
    all: accountIdsOf(MANY),
    namesOf: ({ body }: RawAnswer): string[] => JSON.parse(body).accounts.map(({ id }: { id: string }) => id),
    pastTheEnd: 400,
  },
  {
    name: "transactions",
    path: transactionsOf(HISTORY),
    all: RECENT,
    namesOf: (answer: RawAnswer) => [...referencesOf(answer)],
    pastTheEnd: 404,
  },
] as const;

describe("COBS 2.0, 1.2.8.4 paging", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());
  const get = (path: string) => resource.call({ token, path });

  for (const { name, path, all, namesOf, pastTheEnd } of LISTS) {
    describe(`of ${name}`, () => {
      it("gives the whole set without a size", async () => {
        const answer = await get(path);
        expect(namesOf(answer)).to.deep.equal(all);
        expect(envelopeOf(answer)).to.deep.equal({
          pageNumber: 0,
          pageCount: 1,
          nextPage: null,
          pageSize: all.length,
          totalCount: all.length,
        });
      });

      it("gives each entry once over all pages, and names the next page until the last (A-05)", async () => {
        const names: string[] = [];
        let page: unknown = 0;
        while (page !== null) {
          const answer = await get(`${path}?size=5&page=${page}`);
          const { pageNumber, pageCount, nextPage } = envelopeOf(answer);
          expect(pageNumber).to.equal(page);
          expect(pageCount).to.equal(Math.ceil(all.length / 5));
          names.push(...namesOf(answer));
          page = nextPage;
        }
        expect(names).to.deep.equal(all);
      });

      it("counts the entries of this page in pageSize (A-06)", async () => {
        const last = Math.ceil(all.length / 5) - 1;
        expect(envelopeOf(await get(`${path}?size=5&page=${last}`))).to.include({
          nextPage: null,
          pageSize: all.length - last * 5,
          totalCount: all.length,
        });
      });

      it("allows pages of a single entry", async () => {
        const answer = await get(`${path}?size=1&page=${all.length - 1}`);
        expect(envelopeOf(answer)).to.include({ pageCount: all.length, nextPage: null, pageSize: 1 });
        expect(namesOf(answer)).to.deep.equal(all.slice(-1));
      });

      it("caps the size silently", async () => {
        for (const size of ["101", "1000000", "999999999999999", "9007199254740991", "9".repeat(400)])
          expect(envelopeOf(await get(`${path}?size=${size}`))).to.include({ pageSize: all.length });
      });

      for (const page of ["1", "1000000000000", "999999999999999", "1000000000000000", "9".repeat(400)]) {
        it(`has no page ${page.slice(0, 20)} of ${page.length} digits: ${pastTheEnd} (A-07)`, async () => {
          expectErrors(await get(`${path}?page=${page}`), pastTheEnd, {
            error: "PAGE_NOT_FOUND",
            scope: "page",
          });
        });
      }

      for (const [parameter, values] of [
        ["page", ["-1", "1.5", "", "x", "1e3", "%2B1", " 1", "00", "NaN", "١"]],
        ["size", ["0", "-1", "1.5", "05", "", "x", "0x10", "Infinity"]],
      ] as const) {
        for (const value of values) {
          it(`refuses ${parameter}=${value} by name (1.2.8.4)`, async () => {
            const answer = await get(`${path}?${parameter}=${encodeURIComponent(value)}`);
            expectErrors(answer, 400, { error: "PARAMETER_INVALID", scope: parameter });
            expect(JSON.parse(answer.body).errors[0].message).to.match(
              / whole number( from 0)?, without leading zeros$/,
            );
          });
        }
        it(`refuses a repeated ${parameter} (1.2.8.4)`, async () => {
          const answer = await get(`${path}?${parameter}=1&${parameter}=1`);
          expectErrors(answer, 400, { error: "PARAMETER_INVALID", scope: parameter });
        });
      }
    });
  }

  it("gives an empty first page of an empty list, and no second one (A-07)", async () => {
    const nothing = await get(transactionsOf(EMPTY, "?size=1&page=0"));
    expect(envelopeOf(nothing)).to.include({ pageCount: 0, nextPage: null, pageSize: 0, totalCount: 0 });
    expectErrors(await get(transactionsOf(EMPTY, "?page=1")), 404, {
      error: "PAGE_NOT_FOUND",
      scope: "page",
    });
  });
});

describe("COBS 2.0, 1.2.8.4 paging while the history changes", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource();
  });
  after(() => resource.stop());

  it("has no next page once what would be on it was released, and none of a day that has left the period (OpenAPI)", async () => {
    const oldestFirst = (page: number) =>
      resource.call({
        token: resource.giveToken(),
        path: transactionsOf(HISTORY, `?sort=bookingDate&size=1&page=${page}`),
      });
    const oldest = RECENT.toReversed();
    expect(referencesOf(await oldestFirst(0))).to.deep.equal(oldest.slice(0, 1));
    resource.clock.advance(24 * 3_600_000);
    expect(referencesOf(await oldestFirst(1)), "the second one is now the first").to.deep.equal(
      oldest.slice(2, 3),
    );
    const size = RECENT.length - 2;
    const newestFirst = (page: number) =>
      resource.call({
        token: resource.giveToken(),
        path: transactionsOf(HISTORY, `?size=${size}&page=${page}`),
      });
    expect(envelopeOf(await newestFirst(0))).to.include({ nextPage: 1, totalCount: size + 1 });
    await runSql(resource.environment.DATABASE_URL ?? "", "DELETE FROM sandbox_pending");
    expectErrors(await newestFirst(1), 404, { error: "PAGE_NOT_FOUND", scope: "page" });
    const document = await resource.call({ path: "/cobs/2.0/openapi.json" });
    const { description } = JSON.parse(document.body).paths["/cobs/2.0/my/accounts/{id}/transactions"].get;
    expect(description)
      .to.include("may be gone (PAGE_NOT_FOUND)")
      .and.include("loses its first day at midnight");
  });
});
