import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { type DumpedCell, dumpDatabase } from "../support/database-dump.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, runSql } from "./journey-sandbox.ts";
import { goThroughRecordedJourney } from "./recorded-journey.ts";

type Service = "auth" | "resource";

const SERVICES = ["auth", "resource"] as const;
/** What `npm start` keeps, in the place of a bank. */
const OF_THE_SANDBOX = /^sandbox_/;
/** The moments of the example. */
const [FROM, UNTIL] = ["'2026-11-26 10:00+01'", "'2026-11-26 12:00+01'"];
const NOT_EXECUTED_YET = "state IN ('approved', 'handed_over', 'accepted')";
/** The only approved payment of the journey. */
const EXECUTED = "state = 'completed'";
const USERNAME = "jana";
const CERTIFICATE = "all-roles";

describe("README of operations about personal data", function personalData() {
  this.timeout(120_000);
  let document: SandboxDocument;
  let psuId: string;
  let section: string;
  const dumps = new Map<Service, readonly DumpedCell[]>();

  before(async () => {
    document = await (await journeySandbox()).document();
    psuId = document.psus.find(({ username }) => username === USERNAME)?.psuId ?? "";
    const readme = await readFile("scripts/operations/README.md", "utf8");
    section = /^## Personal data\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
    await forgetUsedCodes(document);
    const tpp = await journeyTpp(CERTIFICATE);
    await goThroughRecordedJourney(document, tpp);
    for (const service of SERVICES) dumps.set(service, await dumpDatabase(document.databases[service]));
  });

  /** The statements under a title, each with the service whose database it is for, and its gaps filled in. */
  function statements(title: string, gap: string): readonly { service: Service; text: string }[] {
    const [, part = ""] = section.split(`**${title}**`);
    const sql = /^```sql\n(.*?)^```$/ms.exec(part)?.[1] ?? "";
    return sql.split(/^-- /m).flatMap((part) => {
      const [name, ...lines] = part.split("\n");
      const service = SERVICES.find((each) => each === name);
      const texts = lines
        .join("\n")
        .split(";")
        .map((text) => text.trim())
        .filter((text) => text !== "");
      if (service === undefined) return [];
      const fill = (text: string) =>
        text.replaceAll("…", gap).replaceAll(FROM, "'yesterday'").replaceAll(UNTIL, "'tomorrow'");
      return texts.map((text) => ({ service, text: fill(text) }));
    });
  }

  for (const service of SERVICES)
    it(`names every table of ${service} that holds a PSU's id`, () => {
      const holding = (dumps.get(service) ?? []).filter(({ text }) => text.includes(psuId));
      const tables = new Set(holding.map(({ place }) => place.split(".")[0] ?? ""));
      expect([...tables]).to.include(service === "auth" ? "signing_standing" : "payment");
      const missing = [...tables].filter(
        (table) => !OF_THE_SANDBOX.test(table) && !section.includes(`\`${table}\``),
      );
      expect(missing).to.deep.equal([]);
    });

  it("finds what is stored of one PSU, with every audit entry that names them", async () => {
    const asked = statements("What is stored about one PSU", psuId);
    expect(asked.map(({ service }) => service)).to.include.members(SERVICES);
    expect(asked.filter(({ text }) => text.includes("audit_entry"))).to.have.lengthOf(1);
    const named = "SELECT id FROM audit_entry WHERE strpos(audit_entry::text, $1) > 0";
    for (const { service, text } of asked) {
      const rows = await runSql(document.databases[service], text);
      if (!text.includes("audit_entry")) continue;
      expect(rows.length).to.equal((await runSql(document.databases.auth, named, [psuId])).length);
      expect(rows.map((row) => Object(row).action)).to.include.members([
        "consent.given",
        "signing.requested",
      ]);
    }
  });

  it("finds approved orders of a TPP, and of a PSU, that are not executed yet", async () => {
    const organisation = document.certificates.find(({ name }) => name === CERTIFICATE);
    const found: string[] = [];
    for (const named of [organisation?.organisationIdentifier ?? "", psuId])
      for (const { service, text } of statements("Which payments were ordered from one account", named)) {
        const [states] = /state IN \(.*\)/.exec(text) ?? [];
        if (states === undefined) continue;
        expect(states).to.equal(NOT_EXECUTED_YET);
        const rows = await runSql(document.databases[service], text.replace(states, EXECUTED));
        if (rows.length > 0) found.push(/WHERE (\w+)/.exec(text)?.[1] ?? "");
      }
    expect(found).to.deep.equal(["organisation_identifier", "psu_id"]);
  });

  it("finds the PSUs about whom a TPP could ask within a period", async () => {
    const organisation = document.certificates.find(({ name }) => name === CERTIFICATE);
    const asked = statements("After a breach", organisation?.organisationIdentifier ?? "");
    const found = await Promise.all(
      asked.map(({ service, text }) => runSql(document.databases[service], text)),
    );
    expect(found.length).to.be.greaterThan(3);
    expect(found[0]?.map((row) => Object(row).psu_id)).to.include(psuId);
  });
});
