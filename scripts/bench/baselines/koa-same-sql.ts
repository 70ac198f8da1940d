/** Baseline of resource's reads: bare Koa over mutual TLS, the same prepared statement through `pg`, the same bytes. */
import Koa from "koa";
import pg from "pg";
import { type BaselineSettings, readSettings, serve } from "./baseline.ts";

type Settings = BaselineSettings & {
  readonly databaseUrl: string;
  readonly statement: { readonly name: string; readonly text: string; readonly values: unknown[] };
  /** The document whose JSON is our answer. */
  readonly body: string;
};
const { databaseUrl, statement, body, ...settings } = readSettings<Settings>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
const app = new Koa();

app.use(async (ctx) => {
  const { rowCount } = await pool.query(statement);
  if (rowCount === 0) throw new TypeError("the statement returned no row");
  ctx.type = "application/json";
  ctx.body = body;
});
serve(settings, app.callback());
