/**
 * Baseline of entering a payment: bare Koa over mutual TLS, which reads the body as JSON and runs the prepared statements of
 * one payment through `pg`, outside a transaction.
 */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import Koa from "koa";
import pg from "pg";
import { type BaselineSettings, readSettings, serve } from "./baseline.ts";

type Settings = BaselineSettings & {
  readonly databaseUrl: string;
  /** In the order of a call, with the values of one payment. */
  readonly statements: readonly {
    readonly name: string;
    readonly text: string;
    readonly values: unknown[];
  }[];
  /** Values that differ between any two payments. */
  readonly unique: readonly string[];
  readonly body: string;
};
const { databaseUrl, statements, unique, body, ...settings } = readSettings<Settings>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
const app = new Koa();

/** Replaces the unique values by those of a new payment, consistently in all its statements. */
function renewing(): (value: unknown) => unknown {
  const fresh = unique.map((value) => [value, randomUUID().replaceAll("-", "")] as const);
  return (value) =>
    typeof value === "string" ? fresh.reduce((made, [from, to]) => made.replaceAll(from, to), value) : value;
}

app.use(async (ctx) => {
  JSON.parse(await text(ctx.req));
  const renew = renewing();
  for (const statement of statements) {
    const { rowCount } = await pool.query({ ...statement, values: statement.values.map(renew) });
    if (rowCount === 0) throw new TypeError(`${statement.name} returned no row`);
  }
  ctx.type = "application/json";
  ctx.body = body;
});
serve(settings, app.callback());
