import type { Queries, Statement } from "@cobs/service-edge";

/** Statements that also report how many 8 kB pages the last one touched. */
export interface ExplainingQueries extends Queries {
  buffers(): number;
}

type Plan = { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };
type PlanRow = { readonly "QUERY PLAN": readonly { readonly Plan: Plan }[] };

/** The plans that PostgreSQL may choose for a prepared statement: for these values, or for any. */
const PLANS = ["force_custom_plan", "force_generic_plan"];

/** Runs each statement as a prepared one, in one transaction; if the two kinds of plan differ, the more expensive counts. */
export function explainingQueries(queries: Queries): ExplainingQueries {
  let touched = 0;
  const run = <Row>(text: string) => queries.run<Row>({ name: "", text, values: [] });
  return {
    buffers: () => touched,
    async run(statement) {
      await run(`PREPARE explained AS ${statement.text}`);
      touched = 0;
      for (const plan of PLANS) {
        await run(`SET LOCAL plan_cache_mode = ${plan}`);
        const [row] = await run<PlanRow>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${executionOf(statement)}`);
        touched = Math.max(touched, ...(row?.["QUERY PLAN"] ?? []).map(({ Plan }) => buffersOf(Plan)));
      }
      await run("DEALLOCATE explained");
      return queries.run(statement);
    },
  };
}

function buffersOf(plan: Plan): number {
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

function executionOf({ values }: Statement): string {
  return `EXECUTE explained (${values.map(literalOf).join(", ")})`;
}

function literalOf(value: unknown): string {
  if (value === null) return "NULL";
  return `'${textOf(value).replaceAll("'", "''")}'`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(",")}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

function elementOf(value: unknown): string {
  return value === null ? "NULL" : JSON.stringify(textOf(value));
}
