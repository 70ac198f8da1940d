import type {
  DocumentedCertificate,
  DocumentedPsu,
  SandboxDocument,
} from "../sandbox-folder/sandbox-document.ts";
import { type ApplicationsApi, openApplicationsApi } from "./applications-api.ts";
import { type OAuthApplication, type OAuthClient, openOAuthClient } from "./oauth-client.ts";
import type { UsedSteps } from "./one-time-codes.ts";
import { openTppFetch } from "./tpp-fetch.ts";
import type { TppMemory } from "./tpp-memory.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** What every command needs. */
export interface CommandContext {
  readonly sandbox: SandboxDocument;
  readonly memory: TppMemory;
  readonly usedSteps: UsedSteps;
  /** Reports progress to the person at the terminal. */
  readonly tell: (text: string) => void;
  /** Calls `end` at the first interruption, which then no longer ends the program by itself. */
  readonly whenInterrupted: (end: () => void) => void;
}

/** The result of a command, for programs and for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
}

/** A command of the command line, with its options. */
export type Act<O> = (context: CommandContext, options: O) => Promise<CommandResult>;

/** The servers, reached with one of the TPP's certificates. */
export interface TppConnection {
  readonly applications: ApplicationsApi;
  oauth(application: OAuthApplication): Promise<OAuthClient>;
}

/** Runs work over connections that show the named certificate, then closes them. */
export async function withCertificate<T>(
  sandbox: SandboxDocument,
  name: string,
  work: (tpp: TppConnection) => Promise<T>,
): Promise<T> {
  const { fetch, close } = await openTppFetch(sandbox.ca, requireCertificate(sandbox, name));
  try {
    return await work({
      applications: openApplicationsApi(sandbox.auth.mutualTls, fetch),
      oauth: (application) => openOAuthClient(sandbox.issuer, application, fetch),
    });
  } finally {
    await close();
  }
}

/** The certificate with this name; refuses with `usage`, naming all of them. */
export function requireCertificate(sandbox: SandboxDocument, name: string): DocumentedCertificate {
  const found = sandbox.certificates.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = sandbox.certificates.map((each) => each.name).join(", ");
  throw new TppRefusal("usage", `there is no certificate ${name}`, `There are: ${names}`);
}

/** What is known of the PSUs who can be played. */
export type PlayedPsus = Pick<SandboxDocument, "psus" | "newcomer" | "login">;

/**
 * The demo PSU with this username, to act as; refuses with `usage`, naming all of them, or if this one or none of them can sign
 * in.
 */
export function requirePsu(sandbox: PlayedPsus, username: string): DocumentedPsu {
  if (sandbox.login !== null)
    throw new TppRefusal(
      "usage",
      `the demo PSUs cannot sign in: PSUs sign in at ${sandbox.login}`,
      "A person can, in a browser: npm run tpp -- authorize, and sign, without --psu",
    );
  const found = sandbox.psus.find((each) => each.username === username);
  if (found !== undefined) return found;
  const names = sandbox.psus.map((each) => each.username).join(", ");
  if (username !== sandbox.newcomer.username)
    throw new TppRefusal("usage", `there is no PSU ${username}`, `There are: ${names}`);
  throw new TppRefusal(
    "usage",
    `${username} has no authenticator app yet, and first needs one in a browser`,
    `npm start says how. These have one: ${names}`,
  );
}

/** The scopes of an option, separated by spaces or commas. */
export function splitScopes(option: string | undefined): readonly string[] | undefined {
  return option?.split(/[\s,]+/).filter((scope) => scope !== "");
}

/** The start of a secret, enough to recognise it and too little to use it. */
export function masked(secret: string): string {
  return `${secret.slice(0, 6)}…`;
}
