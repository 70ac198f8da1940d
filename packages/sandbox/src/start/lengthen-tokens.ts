import { lengthenAccessTokens } from "@cobs/auth/sandbox";
import { parseApplicationId } from "@cobs/cobs-model";
import { type SandboxSeed, withDatabase } from "./seed-sandbox.ts";

// The life of a consent.
const LIFETIME_SECONDS = 180 * 86_400;

/**
 * Extends the access tokens of one application to the life of a consent; only the sandbox does that, for its own application.
 */
export async function lengthenTokens(
  where: Pick<SandboxSeed, "databases" | "log">,
  clientId: string,
): Promise<void> {
  const id = parseApplicationId(clientId);
  await withDatabase("auth", where, (database) => lengthenAccessTokens(database, id, LIFETIME_SECONDS));
}
