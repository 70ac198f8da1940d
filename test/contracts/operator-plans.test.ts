import {
  type AccountId,
  type ApplicationId,
  type PsuId,
  parseAccountId,
  parseApplicationId,
  parsePsuId,
} from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { endRevived } from "../../packages/auth/src/after-restore/end-revived-postgres.ts";
import { applicationListStatement } from "../../packages/auth/src/applications/application-search-postgres.ts";
import { auditSearchStatement } from "../../packages/auth/src/audit/search-audit-postgres.ts";
import { createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { consentListStatement } from "../../packages/auth/src/consent/consent-search-postgres.ts";
import { holderPageStatement } from "../../packages/auth/src/tokens/revoke-tokens-postgres.ts";
import { parseHashPrefix } from "../../packages/auth/src/tokens/token-search.ts";
import { tokenListStatement } from "../../packages/auth/src/tokens/token-search-postgres.ts";
import { tppListStatement } from "../../packages/auth/src/tpp/tpp-search-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { notingDatabase } from "./noting-database.ts";
import { operatorAct } from "./test-acts.ts";

const TPP = parseOrganisationIdentifier("PSDCZ-CNB-1");
const ACCOUNT: AccountId = parseAccountId("account");
const PSU: PsuId = parsePsuId("psu");
const APPLICATION: ApplicationId = parseApplicationId("application");
const CONSENT = createConsentId();
const PREFIX = parseHashPrefix("AAAAAAAAAAAA");

/** The plan when the table is too large to be read whole. */
async function planOn(database: Database, { text, values }: Statement): Promise<string> {
  return database.transaction(async (queries) => {
    await queries.run({ name: "", text: "SET LOCAL enable_seqscan = off", values: [] });
    await queries.run({ name: "", text: "SET LOCAL enable_bitmapscan = off", values: [] });
    const rows = await queries.run<{ "QUERY PLAN": string }>({ name: "", text: `EXPLAIN ${text}`, values });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

describe("Each list for operators", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await databases[0].pool.query(`INSERT INTO tpp SELECT 'PSDCZ-CNB-' || n, 'TPP ' || n, 'CZ-CNB', 'CNB', '{PSP_AI}'
      FROM generate_series(1, 200) AS n`);
    await databases[0].pool.query(`INSERT INTO application (id, owner, application_type, redirect_uris, client_name,
        localized_names, scopes, secret_hash)
      SELECT 'application-' || n, 'PSDCZ-CNB-' || 1 + n % 200, 'web', '{}', 'A', '[]', '{aisp}', ''
      FROM generate_series(1, 2000) AS n`);
    await databases[0].pool.query("ANALYZE tpp, application");
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const lists: readonly (readonly [what: string, index: string, statement: Statement])[] = [
    ...([undefined, CONSENT] as const).flatMap((after) => {
      const page = { after, limit: 50 };
      const place = after === undefined ? "" : ", a later page";
      return [
        [`consents${place}`, "consent_by_time", consentListStatement({}, page)],
        [`consents of a PSU${place}`, "consent_by_psu", consentListStatement({ psu: PSU }, page)],
        [
          `active consents${place}`,
          "consent_not_ended_by_time",
          consentListStatement({ state: "active" }, page),
        ],
        [
          `revoked consents${place}`,
          "consent_revoked_by_time",
          consentListStatement({ state: "revoked" }, page),
        ],
        [
          `expired consents${place}`,
          "consent_expired_by_time",
          consentListStatement({ state: "expired" }, page),
        ],
      ] as const;
    }),
    [
      "applications",
      "application_by_time",
      applicationListStatement({ tpp: undefined, after: undefined, limit: 50 }),
    ],
    [
      "applications of a TPP",
      "application_by_owner",
      applicationListStatement({ tpp: TPP, after: APPLICATION, limit: 50 }),
    ],
    ["TPPs", "tpp_pkey", tppListStatement({ search: "bank", after: TPP, limit: 50 })],
    [
      "consents of a TPP for their tokens",
      "consent_not_ended_of_tpp",
      holderPageStatement({ kind: "tpp", id: TPP }, CONSENT),
    ],
    [
      "consents to an application for their tokens",
      "consent_not_ended_of_application",
      holderPageStatement({ kind: "application", id: APPLICATION }, CONSENT),
    ],
    [
      "audit entries of one action",
      "audit_entry_by_action",
      auditSearchStatement({ action: "tpp.blocked", limit: 50 }, 51),
    ],
    [
      "audit entries of one request",
      "audit_entry_of_request",
      auditSearchStatement({ requestId: "request", limit: 50 }, 51),
    ],
    [
      "tokens of an application",
      "consent_not_ended_of_application",
      tokenListStatement({
        of: { application: APPLICATION },
        after: PREFIX && { consent: CONSENT, kind: "access_token", hashPrefix: PREFIX },
        limit: 50,
      }),
    ],
    [
      "tokens of a consent",
      "token_by_grant",
      tokenListStatement({ of: { consent: CONSENT }, after: undefined, limit: 50 }),
    ],
  ];

  for (const [what, index, statement] of lists) {
    it(`reads ${what} by an index, in its order`, async () => {
      const plan = await planOn(databases[0], statement);
      expect(plan)
        .to.include(index)
        .and.not.to.match(/Seq Scan on (?!tpp_register)/);
      // The blocks of each TPP are sorted among themselves.
      if (!what.startsWith("tokens")) expect(plan).not.to.match(/Sort Key: (?!stop_list_block)/);
    });
  }

  for (const [whose, index, filter] of [
    ["an application", "consent_of_application_by_state", { application: APPLICATION }],
    ["a TPP", "consent_of_tpp_by_state", { tpp: TPP }],
  ] as const)
    for (const state of ["active", "expired", "revoked", undefined] as const)
      for (const after of [undefined, CONSENT])
        it(`reads ${state ?? "all"} consents to ${whose} by an index, in its order in each state${after ? ", a later page" : ""}`, async () => {
          const statement = consentListStatement({ ...filter, state }, { after, limit: 50 });
          const plan = await planOn(databases[0], statement);
          // The pages of the states are sorted among themselves.
          const [, inEachState] = plan.split("Nested Loop");
          expect(inEachState).to.include(`Index Scan Backward using ${index} `).and.not.to.include("Sort");
        });

  it("of expired consents of a PSU reads none that is newer than the newest expired one", async () => {
    const statement = consentListStatement({ psu: PSU, state: "expired" }, { after: CONSENT, limit: 50 });
    expect(await planOn(databases[0], statement))
      .to.match(/Index Cond: .*given_at <= /)
      .and.include("consent_expired_by_time");
  });

  it("of consents that cover one account reads none of other accounts", async () => {
    const { text, values } = consentListStatement(
      { account: ACCOUNT, state: "active" },
      { after: CONSENT, limit: 50 },
    );
    const rows = await databases[0].transaction(async (queries) => {
      await queries.run({ name: "", text: "SET LOCAL enable_seqscan = off", values: [] });
      return queries.run<{ "QUERY PLAN": string }>({ name: "", text: `EXPLAIN ${text}`, values });
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).to.include("Bitmap Index Scan on consent_by_account");
  });

  it("of applications counts their consents by an index alone", async () => {
    const { pool } = databases[0];
    await pool.query(`INSERT INTO consent (id, application_id, psu_id, version, organisation_identifier, services,
        account_ids, approval_hash, authenticated_at, given_at, valid_until)
      SELECT n, 'application-' || n % 10 + 1, n, 1, 'PSDCZ-CNB-1', '{aisp}', '{}', decode(lpad(n::text, 8, '0'), 'hex'), now(),
        now(), now() + interval '1 day' FROM generate_series(1, 2000) AS n`);
    await pool.query("VACUUM (ANALYZE) consent");
    const statement = applicationListStatement({ tpp: undefined, after: undefined, limit: 50 });
    // Each that begins with the application, of those that have not ended.
    expect(await planOn(databases[0], statement)).to.match(
      /Index Only Scan using consent_(active|not_ended_of_application) on consent/,
    );
  });
});

describe("Ending of revived records after a restore", () => {
  let databases: readonly [Database, Database];
  let ended: readonly Statement[];
  before(async () => {
    databases = await twoProcesses();
    const noted: Statement[] = [];
    await endRevived(notingDatabase(databases[0], noted), operatorAct("jana"));
    ended = noted;
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  for (const [what, index] of [
    ["consents", "consent_due"],
    ["card-consents", "card_consent_active"],
    ["sessions", "ephemeral_record_by_expiry"],
  ] as const)
    it(`finds the rest in each batch by an index of nothing else: ${what}`, async () => {
      const statement = ended.find(({ name }) => name === `revived-${what}`);
      if (statement === undefined) throw new TypeError("nothing of these has ended");
      const plan = await planOn(databases[0], statement);
      // Without sorting.
      expect(plan).to.match(new RegExp(`(Limit|LockRows) .*\\n *-> +Index Scan using ${index} `));
    });
});
