import { bankDayOf, daysBefore, startOfBankDay } from "@cobs/cobs-model";
import { expect } from "chai";
import { presentBankTime } from "../../packages/cobs-model/src/bank-day.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { HISTORY } from "../resource/small-movements.ts";
import { type ExpectedError, expectErrors, referencesOf, transactionsOf } from "./account-information.ts";

const TOO_OLD = { DATE: "DATE_TO_OLD" };
const IN_FUTURE = { DATE: "DATE_IN_FUTURE" };

describe("COBS 2.0, 3.1.5 dates of transactions", () => {
  let resource: RunningResource;
  let token: string;
  let today: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
    today = bankDayOf(resource.clock.now());
  });
  after(() => resource.stop());

  const day = (daysAgo: number) => daysBefore(today, daysAgo);
  /** Ten o'clock, the usual time of booking, some days ago; moved by milliseconds, with the bank's offset. */
  const ten = (daysAgo: number, moved = 0) =>
    presentBankTime(new Date(startOfBankDay(day(daysAgo)).getTime() + 10 * 3_600_000 + moved));
  const get = (query: string, token_ = token) =>
    resource.call({ token: token_, path: transactionsOf(HISTORY, query) });
  const between = async (from: string, to: string) =>
    referencesOf(
      await get(`?fromDate=${encodeURIComponent(from)}&toDate=${encodeURIComponent(to)}&sort=bookingDate`),
    );
  const fresh = () =>
    resource.giveToken("aisp-pisp", { auth_time: Math.floor(resource.clock.now().getTime() / 1000) - 60 });

  describe("spans", () => {
    it("of days include both ends (1.2.8.1)", async () => {
      expect(await between(day(45), day(30))).to.deep.equal(["H-045", "H-040", "H-030"]);
      expect(await between(day(44), day(31))).to.deep.equal(["H-040"]);
      expect(await between(day(40), day(40))).to.deep.equal(["H-040"]);
      expect(await between(day(44), day(41))).to.deep.equal([]);
    });

    it("of moments include both ends, to the millisecond (1.2.8.1)", async () => {
      expect(await between(ten(45), ten(30))).to.deep.equal(["H-045", "H-040", "H-030"]);
      expect(await between(ten(45, 1), ten(30, -1))).to.deep.equal(["H-040"]);
      expect(await between(ten(40), ten(40))).to.deep.equal(["H-040"]);
    });

    it("count a day by the bank's clock (A-09)", async () => {
      const midnight = startOfBankDay(day(40)).getTime();
      const utc = (milliseconds: number) => new Date(milliseconds).toISOString();
      expect(await between(utc(midnight), utc(midnight + 86_400_000))).to.include("H-040");
      expect(await between(day(40), utc(midnight))).to.deep.equal([]);
    });

    it("may have only one end", async () => {
      expect(referencesOf(await get(`?fromDate=${day(9)}`))).to.deep.equal([
        "P-1",
        "H-005b",
        "H-005a",
        "H-009",
      ]);
      expect(referencesOf(await get(`?toDate=${day(60)}`))).to.deep.equal(["H-060", "H-090"]);
    });

    it("are counted and paged like any list", async () => {
      const answer = await get(`?fromDate=${day(45)}&toDate=${day(30)}&size=2&page=1`);
      expect(referencesOf(answer)).to.deep.equal(["H-045"]);
      expect(JSON.parse(answer.body)).to.include({ totalCount: 3, pageCount: 2, nextPage: null });
    });
  });

  describe("forms (1.2.8.1, A-09)", () => {
    const FORMS = [
      "2020-01-02",
      "2020-01-02T03:04:05.678Z",
      "2020-01-02T03:04:05Z",
      "2020-01-02T03:04Z",
      "2020-01-02T03:04:05.123456789+01:00",
      "2020-01-02T03:04:05-12:00",
    ];
    for (const form of FORMS) {
      it(`include ${form}, here refused as too old`, async () => {
        const answer = await get(`?fromDate=${encodeURIComponent(form)}`);
        expectErrors(answer, 400, { error: "DT01", scope: "fromDate", parameters: TOO_OLD });
      });
    }

    it("include an offset with an unescaped plus, as in the standard's examples (A-09)", async () => {
      const [escaped, raw] = [ten(40).replace("+", "%2B"), ten(40)];
      expect(raw).to.include("+");
      expect(referencesOf(await get(`?fromDate=${escaped}&toDate=${escaped}`))).to.deep.equal(["H-040"]);
      expect(referencesOf(await get(`?fromDate=${raw}&toDate=${raw}`))).to.deep.equal(["H-040"]);
    });

    const UNREADABLE = [
      "",
      "today",
      "2026-02-30",
      "2026-13-01",
      "2026-00-10",
      "2026-1-2",
      "20260102",
      "02.01.2026",
      "26-01-02",
      "+002026-01-02",
      "2026-01-02T03:04:05",
      "2026-01-02T25:00:00Z",
      "2026-01-02T03:60:00Z",
      "2026-01-02T03:04:05+0100",
      "2026-01-02T03:04:05+01",
      "2026-01-02T03:04:05 +01:00",
      "2026-01-02 03:04:05Z",
      "2026-01-02T03:04:05.Z",
      "2026-01-02T03:04:05+25:00",
      "1767322800000",
      "'2026-01-02'",
      "2026-01-02\u0000",
      "2026-01-02; select pg_sleep(5)",
      "infinity",
      "now",
    ];
    for (const text of UNREADABLE) {
      it(`do not include ${JSON.stringify(text)} (1.2.8.1)`, async () => {
        for (const name of ["fromDate", "toDate"]) {
          const answer = await get(`?${name}=${encodeURIComponent(text)}`);
          expectErrors(answer, 400, { error: "PARAMETER_INVALID", scope: name });
        }
      });
    }

    it("are explained if an offset is written otherwise, as by strftime and PHP's ISO8601", async () => {
      const { body } = await get(`?fromDate=${encodeURIComponent("2026-01-02T03:04:05+0100")}`);
      expect(JSON.parse(body).errors[0].message).to.equal(
        "fromDate must be a day (YYYY-MM-DD), or a date and time with an offset (Z or +hh:mm)",
      );
    });

    it("do not include a repeated date", async () => {
      expectErrors(await get(`?toDate=${day(1)}&toDate=${day(1)}`), 400, {
        error: "PARAMETER_INVALID",
        scope: "toDate",
      });
    });
  });

  describe("that cannot be served (3.1.5)", () => {
    const refusals = (): readonly (readonly [string, readonly ExpectedError[]])[] => [
      [`?toDate=${day(-1)}`, [{ error: "DT01", scope: "toDate", parameters: IN_FUTURE }]],
      [`?fromDate=${day(-1)}`, [{ error: "DT01", scope: "fromDate", parameters: IN_FUTURE }]],
      ["?toDate=9999-12-31", [{ error: "DT01", scope: "toDate", parameters: IN_FUTURE }]],
      ["?fromDate=0001-01-01", [{ error: "DT01", scope: "fromDate", parameters: TOO_OLD }]],
      ["?fromDate=1899-12-31", [{ error: "DT01", scope: "fromDate", parameters: TOO_OLD }]],
      [`?fromDate=${day(91)}`, [{ error: "DT01", scope: "fromDate", parameters: TOO_OLD }]],
      [`?fromDate=${day(5)}&toDate=${day(9)}`, [{ error: "DT01", scope: "toDate", parameters: TOO_OLD }]],
      [`?toDate=${day(91)}`, [{ error: "DT01", scope: "toDate", parameters: TOO_OLD }]],
      [
        `?fromDate=${day(-1)}&toDate=${day(-2)}`,
        [
          { error: "DT01", scope: "fromDate", parameters: IN_FUTURE },
          { error: "DT01", scope: "toDate", parameters: IN_FUTURE },
        ],
      ],
    ];
    it("are refused with DT01 and the reason, each at its parameter", async () => {
      for (const [query, errors] of refusals()) expectErrors(await get(query), 400, ...errors);
    });

    it("do not include any time of today", async () => {
      expect((await get(`?fromDate=${today}&toDate=${today}`)).status).to.equal(200);
    });
  });

  describe("further back than 90 days (RTS Article 10a, RS-25)", () => {
    it("do not include the bank-local day 90 days ago", async () => {
      expect(referencesOf(await get(`?fromDate=${day(90)}&toDate=${day(61)}`))).to.deep.equal(["H-090"]);
    });

    it("are served within half an hour of the PSU's authentication", async () => {
      const answer = await get(`?fromDate=${day(500)}&toDate=${day(90)}`, fresh());
      expect(referencesOf(answer)).to.deep.equal(["H-090", "H-091", "H-400"]);
    });

    it("are refused after half an hour, and if the time of authentication is unknown", async () => {
      const old = Math.floor(resource.clock.now().getTime() / 1000) - 30 * 60;
      for (const changed of [{ auth_time: old }, {}]) {
        const answer = await get(`?fromDate=${day(91)}`, resource.giveToken("aisp-pisp", changed));
        expectErrors(answer, 400, { error: "DT01", scope: "fromDate", parameters: TOO_OLD });
      }
    });

    it("are not served without a fromDate, even right after the PSU's authentication", async () => {
      const references = referencesOf(await get("", fresh()));
      expect(references).to.include("H-090").and.not.include("H-091");
      expectErrors(await get(`?toDate=${day(100)}`, fresh()), 400, {
        error: "DT01",
        scope: "toDate",
        parameters: TOO_OLD,
      });
    });

    it("are never served before 1900", async () => {
      expect((await get("?fromDate=1900-01-01", fresh())).status).to.equal(200);
      expectErrors(await get("?fromDate=1899-12-31", fresh()), 400, {
        error: "DT01",
        scope: "fromDate",
        parameters: TOO_OLD,
      });
    });
  });
});
