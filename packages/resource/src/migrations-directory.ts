import { fileURLToPath } from "node:url";

/** Where the schema of the resource server's database is described, step by step. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../migrations", import.meta.url));
