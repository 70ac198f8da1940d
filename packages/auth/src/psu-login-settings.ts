import { type ConfigurationReader, requireSandboxMode } from "@cobs/service-edge";
import { GENERATED_PASSWORD_COST, type ScryptCost } from "./psu/sandbox/password-hash.ts";
import {
  readUpstreamSettings,
  refuseUpstreamRows,
  type UpstreamSettings,
} from "./psu/upstream/upstream-settings.ts";

/** Who signs PSUs in. */
export type PsuLoginSettings =
  | {
      readonly login: "sandbox";
      /** That of the passwords of its PSUs: whom nobody knows costs as much. No variable sets it. */
      readonly passwordCost: ScryptCost;
    }
  | { readonly login: "oidc"; readonly upstream: UpstreamSettings };

/** Reads which login there is, with the rows of that one; those of another are a fault. */
export function readPsuLogin(read: ConfigurationReader): PsuLoginSettings {
  const login = read.choice("PSU_LOGIN", ["sandbox", "oidc"]);
  if (login === "oidc") return { login, upstream: readUpstreamSettings(read) };
  requireSandboxMode(read, `PSU_LOGIN=${login}`);
  refuseUpstreamRows(read);
  return { login, passwordCost: GENERATED_PASSWORD_COST };
}
