import { createServer, type Server } from "node:http";
import { bankDayOf } from "@cobs/cobs-model";
import { expect } from "chai";
import { parseCommandLine } from "../../../packages/sandbox/src/terminal/read-command-line.ts";
import { bankDays } from "../../../scripts/operations/article-32/bank-days.ts";
import { publish } from "../../../scripts/operations/article-32/publish.ts";
import { OPERATIONS_COMMAND, readPublication } from "../../../scripts/operations/command-line.ts";
import { runScript } from "../../support/run-script.ts";

const HOUR_MILLISECONDS = 3_600_000;

describe("Days of a publication (RTS Article 32(4))", () => {
  it("begin and end at midnight in Prague, also when the clocks change", () => {
    const hours = (date: string) =>
      bankDays(date, date).map(({ begin, end }) => (end.getTime() - begin.getTime()) / HOUR_MILLISECONDS);
    expect(hours("2026-03-29")).to.deep.equal([23]);
    expect(hours("2026-07-15")).to.deep.equal([24]);
    expect(hours("2026-10-25")).to.deep.equal([25]);
    expect(bankDays("2026-07-15", "2026-07-15")[0]?.begin.toISOString()).to.equal("2026-07-14T22:00:00.000Z");
  });

  it("follow on without a gap over two years", () => {
    const days = bankDays("2027-01-01", "2028-12-31");
    expect(days.length).to.equal(365 + 366);
    for (const [place, { begin }] of days.slice(1).entries()) expect(begin).to.deep.equal(days[place]?.end);
  });

  for (const [from, to] of [
    ["2026-02-29", "2026-03-01"],
    ["2026-1-1", "2026-03-01"],
    ["2026-03-02", "2026-03-01"],
  ] as const)
    it(`are refused from ${from} to ${to}`, () => {
      expect(() => bankDays(from, to)).to.throw(RangeError);
    });
});

describe("npm run operations -- article-32", function command() {
  this.timeout(120_000);
  let prometheus: Server;
  let url: string;
  /** What Prometheus knows: the value of each record, by kind, folded over a day. */
  let known: (record: string, fold: string) => Readonly<Record<string, number>>;
  const asked: URLSearchParams[] = [];

  before(async () => {
    prometheus = createServer((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? "", "http://prometheus");
      if (pathname !== "/api/v1/query") return void response.writeHead(404).end("{}");
      asked.push(searchParams);
      const [, fold = "", record = ""] = /^(\w+)\(([\w:]+)\[/.exec(searchParams.get("query") ?? "") ?? [];
      const result = Object.entries(known(record, fold)).map(([kind, value]) => ({
        metric: kind === "" ? {} : { kind },
        value: [Number(searchParams.get("time")), String(value)],
      }));
      response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result } }));
    });
    await new Promise<void>((resolve) => prometheus.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${Object(prometheus.address()).port}`;
  });
  after(() => {
    prometheus.close();
    prometheus.closeAllConnections();
  });
  beforeEach(() => {
    asked.length = 0;
    known = (record, fold) => {
      if (record === "interface:up") return { "": fold === "count_over_time" ? 1_440 : 1_431 };
      if (record === "interface:requests:increase1m") return { ais: 20_000.2, pis: 100, caf: 0 };
      if (record === "interface:errors:increase1m") return { ais: 10, pis: 0, caf: 0 };
      return { ais: 800, pis: 12, caf: 0 };
    };
  });

  const wordsOf = (options: readonly string[]) => ["article-32", "--prometheus", url, ...options];
  /** As a process of its own, as npm does. */
  const run = (...options: string[]) => runScript("scripts/operations/main.ts", wordsOf(options));
  const read = (...options: string[]) =>
    parseCommandLine(OPERATIONS_COMMAND, readPublication, wordsOf(options));

  /** What is printed, by this process. */
  async function print(...options: string[]): Promise<string> {
    const command = await read(...options);
    if (!("value" in command)) throw new Error(command.complaint);
    return publish(command.value);
  }

  it("prints availability, times and errors of each kind of request by day (EBA/GL/2018/07, 2.2 and 2.3)", async () => {
    const { stdout, exitCode } = await run("--from", "2026-07-01", "--to", "2026-07-02", "--csv");
    expect(exitCode).to.equal(0);
    const [head, ...lines] = stdout.trim().split("\r\n");
    expect(head?.split(",").length).to.equal(14);
    const figures = "99.375,0.625,9,0,20000,40,0.05,100,120,0,0,,";
    expect(lines).to.deep.equal([`2026-07-01,${figures}`, `2026-07-02,${figures}`]);
  });

  it("asks about each day for as long as it is in Prague", async () => {
    await print("--from", "2026-10-25", "--to", "2026-10-25", "--json");
    expect(asked.map((query) => query.get("query"))).to.include("sum_over_time(interface:up[1500m])");
    for (const query of asked)
      expect(Number(query.get("time")) * 1000).to.equal(Date.parse("2026-10-25T23:00:00Z"));
  });

  it("reports how much of a day was not measured, and does not count it as uptime", async () => {
    const former = known;
    known = (record, fold) =>
      record === "interface:up" ? { "": fold === "count_over_time" ? 1_000 : 900 } : former(record, fold);
    const [day] = JSON.parse(await print("--from", "2026-07-01", "--to", "2026-07-01", "--json"));
    expect(day).to.include({ uptimePercent: 90, downtimeMinutes: 100, unmeasuredMinutes: 440 });
  });

  it("gives no availability for a day of which nothing was measured", async () => {
    known = () => ({});
    const [day] = JSON.parse(await print("--from", "2026-07-01", "--to", "2026-07-01", "--json"));
    expect(day).not.to.have.property("uptimePercent");
    expect(day).to.include({ downtimeMinutes: 0, unmeasuredMinutes: 1_440 });
    expect(day.kinds.ais).to.deep.equal({ requests: 0 });
  });

  for (const [what, options] of [
    ["a day that does not exist", () => ["--from", "2026-06-31", "--to", "2026-07-02"]],
    ["no days", () => []],
    ["a day that has not come", () => ["--from", "2099-07-01", "--to", "2099-07-01"]],
    // The day is that of the run: midnight may have passed since the tests were read.
    ["a last day that is not over", () => ["--from", "2026-07-01", "--to", bankDayOf(new Date())]],
  ] as const)
    it(`ends with 2 and a sentence for ${what}`, async () => {
      const refused = await read(...options());
      expect(refused).to.include({ exitCode: 2 });
      expect(refused)
        .to.have.property("complaint")
        .that.matches(/^[^\n]+\n$/);
      expect(asked).to.deep.equal([]);
    });

  it("ends with 1 and a sentence when Prometheus does not answer", async () => {
    const options = ["--prometheus", "http://127.0.0.1:1", "--from", "2026-07-01", "--to", "2026-07-01"];
    const { exitCode, stderr } = await runScript("scripts/operations/main.ts", ["article-32", ...options]);
    expect(exitCode).to.equal(1);
    expect(stderr).to.contain("does not answer as Prometheus does");
  });
});
