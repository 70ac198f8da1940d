import { Secret, TOTP } from "otpauth";
import type { RawAnswer } from "../../support/raw-https.ts";

/** The code of an app that was set up with the secret on a page. */
export function codeOf({ body }: Pick<RawAnswer, "body">, now: Date): string {
  const secret = /class="key">([^<]+)</.exec(body)?.[1]?.replaceAll(" ", "") ?? "";
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}
