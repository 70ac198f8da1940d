import type { ApplicationType } from "./application.ts";
import type { Brand } from "./brand.ts";

/** An acceptable return address, exactly as the TPP sent it (at most 2,047 bytes). */
export type RedirectUri = Brand<"RedirectUri">;

/** Reads one redirect URI for an application type, or gives the text of what is wrong with it. */
export function readRedirectUri(
  _value: unknown,
  _type: ApplicationType,
): { uri: RedirectUri } | { wrong: string } {
  throw new TypeError("not yet");
}
