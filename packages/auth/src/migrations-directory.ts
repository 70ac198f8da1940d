import { fileURLToPath } from "node:url";

/** Directory of the authorization server's migrations: SQL files that are only ever applied forwards. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../migrations", import.meta.url));
