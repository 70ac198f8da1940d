import { parseApplicationId, type Scope } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { auditSearchStatement, searchAudit } from "../../packages/auth/src/audit/search-audit-postgres.ts";
import { cardConsentListStatement } from "../../packages/auth/src/card-consent/card-consent-postgres.ts";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import {
  consentListStatement,
  createConsentSearch,
} from "../../packages/auth/src/consent/consent-search-postgres.ts";
import { tokenListStatement } from "../../packages/auth/src/tokens/token-search-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { notingDatabase } from "./noting-database.ts";

const ROWS = 20_000;
const SERVICES: readonly Scope[] = ["aisp"];
const TPP = parseOrganisationIdentifier("PSDCZ-CNB-1");
const APPLICATION = parseApplicationId("application-1");
const FORMER_TPP = parseOrganisationIdentifier("PSDCZ-CNB-2");
const FORMER_APPLICATION = parseApplicationId("application-2");
const PAGE = { after: undefined, limit: 50 };

/** Rows that a plan has read, whichever node read them. */
async function readBy(database: Database, { text, values }: Statement): Promise<number> {
  const explained = { name: "", text: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${text}`, values };
  const plan = (await database.run<{ "QUERY PLAN": string }>(explained)).map((row) => row["QUERY PLAN"]);
  const numbersOf = (pattern: RegExp) =>
    plan.flatMap((line) => [...line.matchAll(pattern)].map(([, count]) => Number(count)));
  const numbers = [...numbersOf(/Rows Removed by Filter: (\d+)/g), ...numbersOf(/actual rows=(\d+)/g)];
  return Math.max(...numbers);
}

// Half of all are of one application and have ended, the oldest by their time. A fifth are of another one, and older than most; its
// oldest were revoked. Of everybody else, and of that one, half are in force.
const CONSENTS = `INSERT INTO consent (id, application_id, psu_id, version, organisation_identifier, services, account_ids,
    approval_hash, authenticated_at, given_at, valid_until, ended_at, ended_by, end_reason)
  SELECT md5(n::text), 'application-' || holder, n, 1, 'PSDCZ-CNB-' || holder, $1, '{}', decode(lpad(n::text, 8, '0'), 'hex'),
    now(), now() - interval '300 days' + n * interval '10 minutes', now() + interval '1 day',
    CASE WHEN reason <> '' THEN now() END, CASE reason WHEN 'expired' THEN 'server' WHEN 'tpp_revoked' THEN 'tpp' END,
    nullif(reason, '')
  FROM (SELECT n, holder, CASE WHEN n % 2 = 0 AND n > 100 OR n % 2 = 1 AND n < 100 THEN 'tpp_revoked'
      WHEN n % 2 = 0 OR n % 4 = 3 THEN 'expired' ELSE '' END AS reason
    FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 1 WHEN n < ${ROWS * 0.4} THEN 2 ELSE 3 + n / 4 % 18 END AS holder
      FROM generate_series(1, ${ROWS}) AS n) AS held) AS given`;

// Two fifths have ended, all of one card issuer but a few of long ago of another one, and none of the newest fifth.
const CARD_CONSENTS = `INSERT INTO card_consent (id, psu_id, organisation_identifier, account_id, iban, given_at, ended_at,
    ended_by, end_reason)
  SELECT md5(n::text), n, 'PSDCZ-CNB-' || holder, n, n, now() - interval '300 days' + n * interval '10 minutes',
    CASE WHEN ended THEN now() END, CASE WHEN ended THEN 'bank' END, CASE WHEN ended THEN 'bank_revoked' END
  FROM (SELECT n, holder, holder = 1 OR n < 100 AS ended
    FROM (SELECT n, CASE WHEN n % 2 = 0 AND n <= ${ROWS * 0.8} THEN 1 WHEN n % 4 = 3 THEN 2 ELSE 3 + n % 18 END AS holder
      FROM generate_series(1, ${ROWS}) AS n) AS held) AS given`;

// Everybody else has a token of each.
const TOKENS = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
  SELECT 'RefreshToken', sha256(id::bytea), id, '{}', now() + interval '1 day' FROM consent WHERE ended_at IS NULL`;

// Half are of an actor, an action and a subject of which there is nothing newer. A twentieth are of one request, and all of these
// are older than the others.
const ENTRIES = `INSERT INTO audit_entry (recorded_at, actor_kind, actor, request_id, action, subject_kind, subject, details)
  SELECT now() - interval '300 days' + n * interval '10 minutes', 'server',
    CASE WHEN old THEN 'former' WHEN n % 2 = 0 THEN 'test' ELSE 'another' END,
    CASE WHEN n <= ${ROWS / 20} THEN 'request' ELSE md5(n::text) END,
    CASE WHEN old THEN 'consent.ended' WHEN n % 2 = 0 THEN 'consent.given' ELSE 'application.changed' END, 'consent',
    CASE WHEN old THEN 'unknown' ELSE n::text END,
    concat('{"why":"', repeat('why', 50), '"}')
  FROM (SELECT n, n <= ${ROWS / 2} AND n % 20 > 0 AS old FROM generate_series(1, ${ROWS}) AS n) AS written`;

describe("List of few among very many", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    const { pool } = databases[0];
    await pool.query(`INSERT INTO tpp SELECT 'PSDCZ-CNB-' || n, 'TPP ' || n, 'CZ-CNB', 'CNB', '{PSP_AI}'
      FROM generate_series(1, 20) AS n`);
    await pool.query(`INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names,
        scopes, secret_hash)
      SELECT 'application-' || n, 'PSDCZ-CNB-' || n, 'web', '{}', 'A', '[]', '{aisp}', ''
      FROM generate_series(1, 20) AS n`);
    await pool.query(CONSENTS, [SERVICES]);
    await pool.query(CARD_CONSENTS);
    await pool.query(TOKENS);
    await pool.query(ENTRIES);
    await pool.query("VACUUM (ANALYZE) consent, card_consent, token, audit_entry");
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const limit = PAGE.limit;
  const lists: readonly (readonly [what: string, statement: Statement])[] = [
    ["active consents of a TPP", consentListStatement({ tpp: TPP, state: "active" }, PAGE)],
    [
      "active consents to an application",
      consentListStatement({ application: APPLICATION, state: "active" }, PAGE),
    ],
    ["expired consents of a TPP", consentListStatement({ tpp: TPP, state: "expired" }, PAGE)],
    [
      "expired consents to an application",
      consentListStatement({ application: APPLICATION, state: "expired" }, PAGE),
    ],
    ["revoked consents of a TPP", consentListStatement({ tpp: FORMER_TPP, state: "revoked" }, PAGE)],
    [
      "revoked consents to an application",
      consentListStatement({ application: FORMER_APPLICATION, state: "revoked" }, PAGE),
    ],
    ["tokens of an application", tokenListStatement({ of: { application: APPLICATION }, ...PAGE })],
    ["active consents to a card issuer", cardConsentListStatement({ tpp: TPP, state: "active" }, PAGE)],
    ["ended consents to a card issuer", cardConsentListStatement({ tpp: FORMER_TPP, state: "ended" }, PAGE)],
    ["ended consents to all card issuers", cardConsentListStatement({ state: "ended" }, PAGE)],
    ["entries of a request of long ago", auditSearchStatement({ requestId: "request", limit }, limit)],
    ["entries of an actor of long ago", auditSearchStatement({ actor: "former", limit }, limit)],
    ["entries of a subject of long ago", auditSearchStatement({ subject: "unknown", limit }, limit)],
    ["entries of an action of long ago", auditSearchStatement({ action: "consent.ended", limit }, limit)],
  ];
  for (const [what, statement] of lists)
    it(`reads no other rows: ${what}`, async () => {
      expect(await readBy(databases[0], statement)).to.be.at.most(limit);
    });

  for (const state of ["active", "expired", "revoked", undefined] as const) {
    const which = `${state ?? "all"} consents`;
    it(`reads no consent to an application that is not of the TPP: ${which}`, async () => {
      for (const pair of [
        { application: APPLICATION, tpp: FORMER_TPP },
        { application: FORMER_APPLICATION, tpp: TPP },
      ])
        expect(await readBy(databases[0], consentListStatement({ ...pair, state }, PAGE))).to.be.at.most(3);
    });

    it(`finds with an application and its TPP what it finds with the application alone: ${which}`, async () => {
      const search = createConsentSearch(databases[0]);
      const ofApplication = await search.list({ application: FORMER_APPLICATION, state }, PAGE);
      expect(ofApplication).not.to.deep.equal([]);
      const pair = { application: FORMER_APPLICATION, tpp: FORMER_TPP, state };
      expect(await search.list(pair, PAGE)).to.deep.equal(ofApplication);
      expect(await search.list({ ...pair, tpp: TPP }, PAGE)).to.deep.equal([]);
      expect(await readBy(databases[0], consentListStatement(pair, PAGE))).to.be.at.most(3 * limit);
    });
  }

  for (const [what, statement] of [
    ["consents of a TPP", consentListStatement({ tpp: FORMER_TPP }, PAGE)],
    ["consents to an application", consentListStatement({ application: FORMER_APPLICATION }, PAGE)],
    ["consents to a card issuer", cardConsentListStatement({ tpp: TPP }, PAGE)],
  ] as const)
    it(`reads a page in each state, and no other rows: ${what}`, async () => {
      expect(await readBy(databases[0], statement)).to.be.at.most(3 * limit);
    });

  it("searches for two criteria among the entries that meet the one of them that reaches back further", async () => {
    const noted: Statement[] = [];
    const search = { actor: "former", action: "consent.given", limit } as const;
    await searchAudit(notingDatabase(databases[0], noted), search, 1_000);
    for (const statement of noted) expect(await readBy(databases[0], statement)).to.be.at.most(1_000);
  });

  for (const state of ["active", "expired", undefined] as const)
    it(`continues page by page in the order of all, without a gap: ${state ?? "in any state"}`, async () => {
      const tpp = parseOrganisationIdentifier("PSDCZ-CNB-3");
      const search = createConsentSearch(databases[0]);
      const ids: ConsentId[] = [];
      for (let full = true; full; ) {
        const page = await search.list({ tpp, state }, { after: ids.at(-1), limit: 60 });
        ids.push(...(page ?? []).map(({ id }) => id));
        full = page?.length === 60;
      }
      const all = (await search.list({}, { after: undefined, limit: ROWS }))?.filter(
        (each) => each.organisationIdentifier === tpp && (state ?? each.state) === each.state,
      );
      expect(ids)
        .to.deep.equal(all?.map(({ id }) => id))
        .and.have.length.above(120);
    });
});
