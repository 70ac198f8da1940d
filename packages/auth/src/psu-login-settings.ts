import { type ConfigurationReader, requireSandboxMode } from "@cobs/service-edge";
import { GENERATED_PASSWORD_COST, type ScryptCost } from "./psu/sandbox/password-hash.ts";
import {
  readUpstreamSettings,
  refuseUpstreamRows,
  type UpstreamSettings,
} from "./psu/upstream/upstream-settings.ts";

/** Which login signs PSUs in, with its settings. */
export type PsuLoginSettings =
  | {
      readonly login: "sandbox";
      /** Hashing cost of PSUs' passwords; a sign-in with an unknown name costs as much. No variable sets it. */
      readonly passwordCost: ScryptCost;
    }
  | { readonly login: "oidc"; readonly upstream: UpstreamSettings };

/** Reads the login and its variables; variables of the other login are a fault. */
export function readPsuLogin(read: ConfigurationReader): PsuLoginSettings {
  const login = read.choice("PSU_LOGIN", ["sandbox", "oidc"]);
  if (login === "oidc") return { login, upstream: readUpstreamSettings(read) };
  requireSandboxMode(read, `PSU_LOGIN=${login}`);
  refuseUpstreamRows(read);
  return { login, passwordCost: GENERATED_PASSWORD_COST };
}
