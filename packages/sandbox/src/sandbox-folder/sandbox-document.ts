import { readKeptJson } from "../files/read-kept-json.ts";
import { writeWhole } from "../files/write-whole.ts";

/** Paths of a certificate (with its chain) and its key, both PEM. */
export interface CertificatePaths {
  readonly certificate: string;
  readonly key: string;
}

/** A TPP certificate of the sandbox. */
export interface DocumentedCertificate extends CertificatePaths {
  readonly name: string;
  readonly organisationIdentifier: string;
  readonly organisationName: string;
  readonly roles: readonly string[];
  /** What is wrong with it, in a sentence; null if it is valid. */
  readonly wrong: string | null;
  readonly expectedRefusal: string | null;
}

/** A demo PSU with their credentials; the TOTP secret is base32. */
export interface DocumentedPsu {
  readonly username: string;
  readonly displayName: string;
  readonly psuId: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly accounts: readonly {
    readonly id: string;
    readonly iban: string;
    readonly currency: string;
    readonly name: string;
  }[];
}

/** The demo PSU who has no authenticator app yet; the activation code sets one up, once. */
export interface DocumentedNewcomer extends Omit<DocumentedPsu, "totpSecret"> {
  readonly activationCode: string;
}

/** Name under which the ready application is registered. */
export const READY_APPLICATION_NAME = "Sandbox ready application";

/** An application already registered, with long-lived access tokens: one per scope, and one for both. */
export interface ReadyApplication {
  /** Name of the TPP certificate that its tokens are bound to. */
  readonly certificate: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly tokens: { readonly aisp: string; readonly pisp: string; readonly both: string };
  readonly refreshToken: string;
  /** Username of the PSU who consented. */
  readonly psu: string;
}

/** Pids; `postgres` is null if no embedded PostgreSQL runs. */
export interface SandboxProcesses {
  readonly supervisor: number;
  readonly auth: number;
  readonly resource: number;
  readonly postgres: number | null;
}

/** The facts about a sandbox that are known before anything runs in it. All paths are absolute. */
export interface SandboxFacts {
  readonly version: typeof DOCUMENT_VERSION;
  readonly directory: string;
  /** Base URLs of the listeners. */
  readonly auth: Readonly<Record<"browser" | "mutualTls" | "bank" | "operator", string>>;
  readonly resource: Readonly<Record<"mutualTls" | "bank" | "operator", string>>;
  readonly issuer: string;
  readonly resourceBase: string;
  /** URL of an external core system that resource asks; null if it asks the demo bank. */
  readonly core: string | null;
  /** Issuer of the OpenID provider at which PSUs sign in; null if the demo PSUs sign in with their passwords. */
  readonly login: string | null;
  /** URL of the service that delivers codes and notices; null if auth has an inbox page for each PSU. */
  readonly delivery: string | null;
  /** The CA of the public listeners and of the callback. */
  readonly ca: string;
  /** The CA of the bank listeners and their callers. */
  readonly privateCa: string;
  readonly bankClients: Readonly<Record<"auth" | "resource" | "operator", CertificatePaths>>;
  readonly certificates: readonly DocumentedCertificate[];
  readonly callback: CertificatePaths & { readonly port: number };
  /** Where the test CA says whether its certificates were revoked. */
  readonly revocation: { readonly ocsp: string; readonly crl: string };
  readonly psus: readonly DocumentedPsu[];
  readonly newcomer: DocumentedNewcomer;
  /** Connection URLs, passwords included. */
  readonly databases: Readonly<Record<"auth" | "resource", string>>;
}

/** The facts about a running sandbox, for programs: `sandbox.json`. */
export interface SandboxDocument extends SandboxFacts {
  /** Null if none was made, because that needs a login or a core system of the integrator's own. */
  readonly readyApplication: ReadyApplication | null;
  readonly processes: SandboxProcesses;
}

/** The document of a sandbox that has a ready application. */
export interface ReadySandbox extends SandboxDocument {
  readonly readyApplication: ReadyApplication;
}

/** The document of a sandbox that has its own login and core system, and therefore a ready application. */
export function requireReady({ readyApplication, ...rest }: SandboxDocument): ReadySandbox {
  if (readyApplication === null) throw new TypeError("the sandbox has no ready application");
  return { ...rest, readyApplication };
}

/** Changes whenever programs that read the document must change. */
export const DOCUMENT_VERSION = 2;

/** Writes the document whole, readable by the owner only: it holds passwords and tokens of the sandbox. */
export async function writeSandboxDocument(file: string, document: SandboxDocument): Promise<void> {
  await writeWhole(file, `${JSON.stringify(document, null, 2)}\n`, 0o600);
}

/** Reads the document; undefined if it is missing, of another version, or damaged. */
export async function readSandboxDocument(file: string): Promise<SandboxDocument | undefined> {
  const value = await readKeptJson(file);
  return isDocument(value) ? value : undefined;
}

// Only the sandbox writes this file, whole and readable by its owner alone, so its version tells its content.
function isDocument(value: unknown): value is SandboxDocument {
  return (
    typeof value === "object" && value !== null && "version" in value && value.version === DOCUMENT_VERSION
  );
}
