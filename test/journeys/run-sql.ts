import { rm } from "node:fs/promises";
import { Client } from "pg";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";

/** One statement on a service's own database, as its operator could run it. */
export async function runSql(url: string, text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Lets every PSU sign in again at once; otherwise each one-time code works once in thirty seconds. */
export async function forgetUsedCodes(document: SandboxDocument): Promise<void> {
  await runSql(document.databases.auth, "UPDATE sandbox_psu SET last_step = 0");
  await rm(usedStepsFile(document.directory), { force: true });
}
