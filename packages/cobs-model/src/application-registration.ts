import type { ApplicationRegistration } from "./application.ts";

/**
 * Reads the body of `POST` and `PUT /applications` (COBS PDF 1.4.1.1, 1.4.1.3), or throws a `RegistrationRefusal`
 * with all faults. Unknown and server-owned members are ignored, null is absent. Whether the certificate's roles
 * cover the scopes is not yet verified.
 */
export function parseApplicationRegistration(_body: unknown): ApplicationRegistration {
  throw new TypeError("not yet");
}
