/** A program that starts a server in a given folder, prints where it is, and waits for its end. */
import { findEmbeddedBinaries } from "../../../packages/sandbox/src/postgres/find-embedded-binaries.ts";
import { startPostgres } from "../../../packages/sandbox/src/postgres/start-postgres.ts";

const [, , directory = ""] = process.argv;
const binaries = await findEmbeddedBinaries();
const server = await startPostgres({ directory, durability: "full", binaries });
const { pid, owned, port } = server;
process.stdout.write(
  `${JSON.stringify({ pid, owned, port, uid: process.getuid?.(), url: server.superuserUrl() })}\n`,
);
await server.ended;
