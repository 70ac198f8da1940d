import { fileURLToPath } from "node:url";

/** Where the schema of the authorization server lies: SQL files that only ever go forward. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../migrations", import.meta.url));
