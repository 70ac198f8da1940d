import { access, constants, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inTurn } from "../files/in-turn.ts";
import { keepFolder, keepWhole } from "../files/write-whole.ts";
import { isMissing } from "../processes/error-codes.ts";
import { READY_APPLICATION_NAME, type ReadyApplication } from "../sandbox-folder/sandbox-document.ts";
import type { OAuthApplication } from "./oauth-client.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** Tokens as the command line keeps them. */
export interface KeptTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

/** An application registered with the command line, or the sandbox's ready one. */
export type KeptApplication = OAuthApplication & {
  readonly name: string;
  /** Name of the certificate that goes with it. */
  readonly certificate: string;
  readonly tokens?: KeptTokens | undefined;
};

/** What one command keeps for the next. */
export interface TppMemory {
  /**
   * The application with this id. Without an id, the one used last, or if there is none, the sandbox's ready one. Refuses with
   * `usage` if there is no such application, and with `unreadable`.
   */
  application(clientId?: string): Promise<KeptApplication>;
  /** Refuses with `unreadable` if nothing can be kept; call it before requests whose answer the bank gives only once. */
  prepare(): Promise<void>;
  /** Keeps the application as the one used last. Refuses with `unreadable`, so that earlier ones are not lost. */
  keep(application: KeptApplication): Promise<void>;
}

/** Opens the memory in the sandbox's folder: a file readable by its owner only. */
export function openTppMemory(directory: string, readyApplication: ReadyApplication | null): TppMemory {
  const folder = join(directory, "tpp");
  const file = join(folder, "applications.json");

  async function read(): Promise<readonly KeptApplication[]> {
    try {
      const kept: unknown = JSON.parse(await readFile(file, "utf8"));
      return Array.isArray(kept) ? kept.filter(isKept) : [];
    } catch (error) {
      if (isMissing(error)) return [];
      const hint = "Repair it, or delete it and register again. The bank keeps the applications.";
      throw new TppRefusal("unreadable", `${file} cannot be read: ${messageOf(error)}`, hint, {
        cause: error,
      });
    }
  }

  async function prepare(): Promise<void> {
    await read();
    try {
      await keepFolder(folder);
      await access(folder, constants.W_OK);
    } catch (error) {
      const hint = "Nothing was sent to the bank.";
      throw new TppRefusal("unreadable", `${folder} cannot be written: ${messageOf(error)}`, hint, {
        cause: error,
      });
    }
  }

  async function keep(application: KeptApplication): Promise<void> {
    const others = (await read()).filter(({ clientId }) => clientId !== application.clientId);
    await keepWhole(file, `${JSON.stringify([...others, application], null, 2)}\n`, 0o600);
  }

  return {
    application: async (clientId) => {
      const ready = readyApplication === null ? [] : [keptFromReady(readyApplication)];
      // A start that found the ready application unusable made another one, or none; the former is gone.
      const isFormer = ({ name, clientId: id }: KeptApplication) =>
        name === READY_APPLICATION_NAME && ready[0]?.clientId !== id;
      const all = [...ready, ...(await read()).filter((each) => !isFormer(each))];
      const found = all.findLast((each) => clientId === undefined || each.clientId === clientId);
      if (found === undefined) throw noApplication(clientId);
      return found;
    },
    prepare,
    keep: async (application) => {
      await keepFolder(folder);
      await inTurn(file, () => keep(application));
    },
  };
}

/** The tokens of an application; refuses with `not_authorized` if it has none yet. */
export function requireTokens(application: KeptApplication): KeptTokens {
  if (application.tokens !== undefined) return application.tokens;
  throw new TppRefusal(
    "not_authorized",
    `the application ${application.clientId} has no tokens`,
    "npm run tpp -- authorize",
  );
}

function keptFromReady({ tokens, refreshToken, psu: _, ...application }: ReadyApplication): KeptApplication {
  return {
    ...application,
    name: READY_APPLICATION_NAME,
    tokens: { accessToken: tokens.both, refreshToken, scope: "aisp pisp" },
  };
}

function noApplication(clientId: string | undefined): TppRefusal {
  const which = clientId === undefined ? "no application is" : `the application ${clientId} is not`;
  return new TppRefusal("usage", `${which} known here`, "npm run tpp -- register");
}

// Only the command line writes its memory.
function isKept(value: unknown): value is KeptApplication {
  return typeof value === "object" && value !== null && "clientId" in value && "certificate" in value;
}

// A parser's message may repeat a secret from the file.
function messageOf(error: unknown): string {
  return error instanceof SyntaxError || !(error instanceof Error) ? "it is not JSON" : error.message;
}
