import type { Database } from "@cobs/service-edge";
import type { AuthConfiguration } from "./config.ts";
import type { SignInNotices } from "./notices/sign-in-change.ts";
import { createPasskeyStore } from "./psu/passkeys/passkey-store-postgres.ts";
import { createPasskeys, type Passkeys } from "./psu/passkeys/passkeys.ts";

/** Opens passkeys; undefined where the host of the pages cannot have any. */
export function openPasskeys(
  { passkeyRelyingParty: relyingParty, sealingKey }: AuthConfiguration,
  database: Database,
  notices: SignInNotices,
): Passkeys | undefined {
  if (relyingParty === undefined) return undefined;
  return createPasskeys({ store: createPasskeyStore(database, notices), relyingParty, sealingKey });
}
