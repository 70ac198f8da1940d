import { access } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterLayout } from "./cluster-layout.ts";
import { type DatabaseUser, giveTo, OURSELVES } from "./database-user.ts";
import { copyBinaries, linkLibraries, type PostgresBinaries, programCommand } from "./postgres-binaries.ts";
import { PostgresRefusal } from "./postgres-refusal.ts";
import { runProgram } from "./run-program.ts";

/** Binaries that have run as the database's user. */
export interface UsableBinaries {
  readonly binaries: PostgresBinaries;
  readonly majorVersion: number;
}

/**
 * Runs the binaries once; if the database's user cannot reach them, runs a copy in our own folder. Refuses with
 * `platform-unsupported`.
 */
export async function requireUsableBinaries(
  installed: PostgresBinaries,
  layout: ClusterLayout,
  user: DatabaseUser,
): Promise<UsableBinaries> {
  await linkLibraries(installed, layout);
  const first = await tryVersion(installed, layout, user);
  if (first.majorVersion !== undefined) return { binaries: installed, majorVersion: first.majorVersion };
  const ours = await tryVersion(installed, layout, OURSELVES);
  if (ours.majorVersion === undefined) throw await cannotRun(installed, ours.output);
  const binaries = await copyBinaries(installed, layout);
  await linkLibraries(binaries, layout);
  await giveTo(user, layout.binaries);
  const second = await tryVersion(binaries, layout, user);
  if (second.majorVersion === undefined) throw await cannotRun(binaries, second.output);
  return { binaries, majorVersion: second.majorVersion };
}

async function tryVersion(binaries: PostgresBinaries, layout: ClusterLayout, user: DatabaseUser) {
  const { output } = await runProgram([...programCommand(binaries, layout, "postgres"), "--version"], user);
  const [, major] = /^postgres \(PostgreSQL\) (\d+)/.exec(output) ?? [];
  return { output, majorVersion: major === undefined ? undefined : Number(major) };
}

async function cannotRun(binaries: PostgresBinaries, output: string): Promise<PostgresRefusal> {
  const musl = await access("/etc/alpine-release").then(
    () => true,
    () => false,
  );
  const reason = musl
    ? "It is built for glibc, and this system (Alpine, musl) has another C library."
    : `It needs glibc 2.27 or newer and libstdc++. The system says: ${output.trim()}`;
  return new PostgresRefusal(
    "platform-unsupported",
    `PostgreSQL in ${join(binaries.root, "bin")} does not run here. ${reason} ` +
      "Set AUTH_DATABASE_URL and RESOURCE_DATABASE_URL to databases of a PostgreSQL server, 15 or newer.",
  );
}
