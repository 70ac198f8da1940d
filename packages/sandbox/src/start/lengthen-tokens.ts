import type { SandboxSeed } from "./seed-sandbox.ts";
import { withDatabase } from "./seed-sandbox.ts";

const LIFETIME_SECONDS = 180 * 86_400;

/** Lets the access tokens of one application live as long as a consent; only the sandbox does that, and for its own. */
export async function lengthenTokens(
  where: Pick<SandboxSeed, "databases" | "log">,
  clientId: string,
): Promise<void> {
  const text = "UPDATE application SET access_token_lifetime_seconds = $2 WHERE id = $1";
  await withDatabase("auth", where, (database) =>
    database.run({ name: "", text, values: [clientId, LIFETIME_SECONDS] }),
  );
}
