import type { Scope } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { revokeTokensOf } from "../../packages/auth/src/tokens/revoke-tokens-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { createTestDatabase } from "../support/test-databases.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct, tppAct } from "./test-acts.ts";

const ACT = operatorAct("jana");
const STATEMENT_MILLISECONDS = 1_500;

describe("Application with very many consents, or orders that wait for their PSUs", function veryManyConsents() {
  this.timeout(120_000);
  /** For what is bounded by the number of its rows: a busy machine may take long for them. */
  let patient: Database;
  /** The database as a process has it, with less patience: for what may take longer than a statement otherwise does. */
  let database: Database;
  before(async () => {
    const { log } = readableLog();
    const url = new Secret(await createTestDatabase());
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    const open = (statement: number) =>
      openDatabase({
        url,
        maxConnections: 2,
        applicationName: "contract",
        log,
        timeLimits: { connection: 20_000, statement },
      });
    patient = open(60_000);
    database = open(STATEMENT_MILLISECONDS);
    await storeTpp(patient);
  });
  after(() => Promise.all([patient.close(), database.close()]));

  const run = <Row>(text: string, values: readonly unknown[] = []) =>
    patient.run<Row>({ name: "", text, values });

  /** An application with so many consents, each with an access token. */
  async function newApplication(consents: number) {
    const id = await storeApplication(patient);
    await run(
      `INSERT INTO consent (id, application_id, psu_id, version, organisation_identifier, services, account_ids,
        approval_hash, authenticated_at, given_at, valid_until)
      SELECT left(md5($1::text || n), 22), $1, 'psu-' || n, 1, $2, '{aisp}', '{}', sha256(($1::text || n)::bytea), now(), now(),
        now() + interval '1 day' FROM generate_series(1, $3::integer) AS n`,
      [id, OWNER, consents],
    );
    await run(
      `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
      SELECT 'AccessToken', sha256(id::bytea), id, '{}', now() + interval '1 hour' FROM consent WHERE application_id = $1`,
      [id],
    );
    return id;
  }

  async function tokensLeft(application: string): Promise<number> {
    const text = `SELECT count(*) AS left FROM token JOIN consent ON token.grant_id = consent.id WHERE application_id = $1`;
    return Number((await run<{ left: bigint }>(text, [application]))[0]?.left);
  }

  /** Runs something while a trigger does this. */
  async function whileThereIs(trigger: string, body: string, end: () => Promise<void>) {
    await run(
      `CREATE FUNCTION watching() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$`,
    );
    await run(`CREATE TRIGGER watching ${trigger} EXECUTE FUNCTION watching()`);
    try {
      await end();
    } finally {
      await run("DROP FUNCTION watching CASCADE");
    }
  }

  /** Ten rows take longer then than a statement otherwise may. */
  const asIfThereWereMany = (end: () => Promise<void>) =>
    whileThereIs("BEFORE UPDATE ON signing_request FOR EACH ROW", "PERFORM pg_sleep(0.2);", end);

  const remove = (id: Awaited<ReturnType<typeof newApplication>>) =>
    createApplicationStore(patient, endConsentsOfApplication).remove(
      { id, owner: OWNER },
      tppAct(OWNER),
      () => {},
    );
  async function activeOf(application: string): Promise<number> {
    const text =
      "SELECT count(*)::integer AS active FROM consent WHERE application_id = $1 AND ended_at IS NULL";
    return (await run<{ active: number }>(text, [application]))[0]?.active ?? 0;
  }

  it("ends with all of them, in statements that take no longer when there are more", async () => {
    const id = await newApplication(1_201);
    const trigger = "AFTER UPDATE ON consent REFERENCING NEW TABLE AS ended FOR EACH STATEMENT";
    const tooMany =
      "IF (SELECT count(*) FROM ended) > 500 THEN RAISE 'too many for the limit of a statement'; END IF;";
    await whileThereIs(trigger, tooMany, async () => {
      expect(await remove(id)).to.equal(true);
    });
    expect(await activeOf(id)).to.equal(0);
    expect(await tokensLeft(id)).to.equal(0);
    const ended = `SELECT count(DISTINCT subject)::integer AS recorded FROM audit_entry JOIN consent ON subject = consent.id
      WHERE application_id = $1 AND action = 'consent.ended'`;
    expect(await run(ended, [id])).to.deep.equal([{ recorded: 1_201 }]);
  });

  it("ends with none of them when one cannot be ended", async () => {
    const id = await newApplication(1_201);
    const [last] = await run<{ id: string }>("SELECT max(id) AS id FROM consent WHERE application_id = $1", [
      id,
    ]);
    const body = `IF NEW.id = '${last?.id}' THEN RAISE 'this one cannot'; END IF;`;
    await whileThereIs("BEFORE UPDATE ON consent FOR EACH ROW", body, async () => {
      expect(await rejectionOf(remove(id))).to.have.property("message", "this one cannot");
    });
    expect(await activeOf(id)).to.equal(1_201);
    expect(await tokensLeft(id)).to.equal(1_201);
  });

  it("reads none of them when it is changed and loses no service", async () => {
    const id = await newApplication(1_201);
    const scopesLeft: (readonly string[])[] = [];
    const applications = createApplicationStore(patient, async (queries, application, ending) => {
      scopesLeft.push(application.servicesLeft);
      await endConsentsOfApplication(queries, application, ending);
    });
    const change = (scopes: readonly Scope[]) =>
      applications.replace({ id, owner: OWNER }, tppAct(OWNER), (current) => ({ ...current, scopes }));
    await change(["pisp", "aisp"]);
    expect(scopesLeft).to.deep.equal([]);
    expect(await activeOf(id)).to.equal(1_201);
    await change(["pisp"]);
    expect(scopesLeft).to.deep.equal([["pisp"]]);
    expect(await activeOf(id)).to.equal(0);
  });

  const CERTIFICATE = thumbprintOf(Buffer.from("stolen"));
  for (const blocked of [
    { kind: "certificate", key: CERTIFICATE },
    { kind: "organisation", key: OWNER },
  ] as const)
    it(`has as many waiting orders ended by a block: ${blocked.kind}`, async () => {
      const id = await newApplication(0);
      await run(
        `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id, certificates,
          return_url, order_text, created_at, expires_at)
        SELECT left(md5($1::text || n), 22), left(md5($1::text || n), 30), 'S-1', 'psu', $2, $1, ARRAY[$3::text],
          'https://tpp.example', '{}', now(), now() + interval '1 hour' FROM generate_series(1, 10) AS n`,
        [id, OWNER, CERTIFICATE],
      );
      await asIfThereWereMany(async () => {
        const { result } = await createStopList(database).block({ ...blocked, by: ACT, reason: "fraud" });
        expect(result).to.equal("blocked");
      });
      const waiting = "SELECT id FROM signing_request WHERE application_id = $1 AND state = 'waiting'";
      expect(await run(waiting, [id])).to.deep.equal([]);
    });

  it("has its tokens ended in successive orders, each continuing where the last one stopped", async () => {
    const id = await newApplication(10_001);
    const holder = { kind: "application", id } as const;
    const first = await revokeTokensOf(patient, holder, ACT);
    expect(first).to.include({ accessTokens: 10_000, complete: false });
    const second = await revokeTokensOf(patient, { ...holder, after: first.next }, ACT);
    expect(second).to.deep.equal({ accessTokens: 1, codes: 0, complete: true });
    expect(await tokensLeft(id)).to.equal(0);
  });
});
