import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { ConfigurationReader } from "@cobs/service-edge";

/** How the operator wants TPPs to be looked up in the register. */
export interface RegisterSettings {
  /** Path of the register's JSON, which a job of the operator fetches; opened at each check. */
  readonly file: string;
  /** `block` puts a TPP whose authorisation has ended on the stop list; `warn` only logs it. */
  readonly policy: "warn" | "block";
  /** TPPs that the register does not list, such as banks. */
  readonly exempt: ReadonlySet<OrganisationIdentifier>;
  /** A file whose newest entry is older is not used. */
  readonly maxAgeDays: number;
}

function readExempt(read: ConfigurationReader): ReadonlySet<OrganisationIdentifier> {
  if (read.optionalText("TPP_REGISTER_EXEMPT") === undefined) return new Set();
  const parse = (list: string) => new Set(list.split(",").map((text) => parseIdentifier(text.trim())));
  return read.parsed("TPP_REGISTER_EXEMPT", parse);
}

function parseIdentifier(text: string): OrganisationIdentifier {
  try {
    return parseOrganisationIdentifier(text);
  } catch {
    throw new Error(`${text} is not an organisation identifier such as PSDCZ-CNB-12345678`);
  }
}

/** Reads the settings; undefined without `TPP_REGISTER_FILE`, when nothing is looked up. */
export function readRegisterSettings(read: ConfigurationReader): RegisterSettings | undefined {
  const file = read.optionalText("TPP_REGISTER_FILE");
  const settings = read.together<Omit<RegisterSettings, "file">>({
    policy: () => read.choice("TPP_REGISTER_POLICY", ["warn", "block"]),
    exempt: () => readExempt(read),
    maxAgeDays: () => read.integer("TPP_REGISTER_MAX_AGE_DAYS"),
  });
  if (file !== undefined) return { file, ...settings };
  // An operator who sets `block` relies on it: otherwise a TPP that lost its authorisation would go on unnoticed.
  if (settings.policy === "block") read.fault("TPP_REGISTER_POLICY=block requires TPP_REGISTER_FILE");
  return undefined;
}
