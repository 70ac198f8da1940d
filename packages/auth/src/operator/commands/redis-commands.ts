import type { Command } from "commander";
import { JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { fieldsOf } from "./present-table.ts";

/** Adds `redis …`: what Redis holds, if Redis is used. */
export function addRedis(redis: Command, run: RunCommand): void {
  redis
    .command("turn-epoch")
    .description("discard everything in Redis: PSUs who are signing in must start again")
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action(({ json = false, reason }: Json & { readonly reason: string }) =>
      run(async ({ auth }) => {
        const path = "/operator/redis/turn-epoch";
        return fieldsOf(await auth({ method: "POST", path, body: { reason } }));
      }, json),
    );
}
