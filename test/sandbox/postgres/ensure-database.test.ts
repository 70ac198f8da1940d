import { expect } from "chai";
import { ensureDatabase } from "../../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import type { PostgresServer } from "../../../packages/sandbox/src/postgres/postgres-server.ts";
import { ask, serverFolder } from "./started-server.ts";

const AUTH = { name: "auth", role: "auth", password: 'it\'s "odd"/?#@%' };
const RESOURCE = { name: "resource", role: "resource", password: "other" };

describe("Database with a role of its own", () => {
  const folder = serverFolder();
  let server: PostgresServer;
  before(async () => {
    server = await folder.start();
  });
  after(() => folder.remove());

  it("is created when missing, by several at once, and kept when created again", async () => {
    const urls = await Promise.all([AUTH, AUTH, AUTH].map((owner) => ensureDatabase(server, owner)));
    const [url = ""] = urls;
    expect(new Set(urls).size).to.equal(1);
    await ask(url, "CREATE TABLE kept AS SELECT 7 AS n");
    expect(await ask(await ensureDatabase(server, AUTH), "SELECT n FROM kept")).to.deep.equal([7]);
  });

  it("sorts bytewise in UTF-8 and belongs to a role without other rights", async () => {
    const url = await ensureDatabase(server, AUTH);
    const facts = `SELECT concat_ws(' ', datcollate, datctype, pg_encoding_to_char(encoding), rolsuper, rolcreatedb,
      rolcreaterole, rolreplication) FROM pg_database JOIN pg_roles r ON r.oid = datdba
      WHERE datname = current_database() AND rolname = current_user`;
    expect(await ask(url, facts)).to.deep.equal(["C C UTF8 f f f f"]);
  });

  it("is created without TLS, whatever the environment says of other servers", async () => {
    const before = process.env.PGSSLMODE;
    process.env.PGSSLMODE = "require";
    const url = await ensureDatabase(server, AUTH).finally(() => {
      if (before === undefined) delete process.env.PGSSLMODE;
      else process.env.PGSSLMODE = before;
    });
    expect(await ask(url, "SELECT 1")).to.deep.equal([1]);
  });

  it("takes a new password in place of the old one", async () => {
    const before = await ensureDatabase(server, RESOURCE);
    const after = await ensureDatabase(server, { ...RESOURCE, password: "renewed" });
    expect(await codeOf(ask(before, "SELECT 1"))).to.equal("28P01");
    expect(await ask(after, "SELECT 1")).to.deep.equal([1]);
  });

  it("is closed to the other role, and so is the server's own database", async () => {
    await ensureDatabase(server, RESOURCE);
    for (const database of ["resource", "postgres"]) {
      const url = new URL(await ensureDatabase(server, AUTH));
      url.pathname = database;
      expect(await codeOf(ask(url.href, "SELECT 1"))).to.equal("42501");
    }
  });
});

async function codeOf(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.catch((reason: unknown) => reason);
  return error instanceof Error && "code" in error ? error.code : error;
}
