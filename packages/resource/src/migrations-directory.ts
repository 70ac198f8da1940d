import { fileURLToPath } from "node:url";

/** Directory of the migrations that create the schema of the resource server's database. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../migrations", import.meta.url));
