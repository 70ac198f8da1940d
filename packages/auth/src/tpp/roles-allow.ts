import type { Scope } from "@cobs/cobs-model";
import type { Psd2Role } from "@cobs/psd2-certificates";

const ROLE_OF_SCOPE: Readonly<Record<Scope, Psd2Role>> = { aisp: "PSP_AI", pisp: "PSP_PI" };

/** Tells whether a TPP with these roles may have a scope (ETSI TS 119 495 5.1, COBS PDF 1.4.1.1). */
export function rolesAllow(roles: readonly Psd2Role[], scope: Scope): boolean {
  return roles.includes(ROLE_OF_SCOPE[scope]);
}
