import { join } from "node:path";

/** Where the sandbox keeps its files, below its one folder. */
export interface SandboxLayout {
  readonly directory: string;
  /** The facts about the running sandbox, for programs. */
  readonly document: string;
  /** Tells which process holds the folder. */
  readonly lock: string;
  readonly certificates: string;
  readonly postgres: string;
  readonly secrets: string;
  readonly sealingKey: string;
  readonly databasePasswords: string;
  readonly databaseUrl: Readonly<Record<"auth" | "resource", string>>;
  /** Missing if auth has no Redis. */
  readonly redisUrl: string;
  readonly psuCredentials: string;
  readonly readyApplication: string;
  readonly logs: Readonly<Record<"sandbox" | "auth" | "resource", string>>;
  /** What the TPP command line keeps between commands. */
  readonly tpp: string;
}

/** The layout below `directory`, an absolute path. */
export function sandboxLayout(directory: string): SandboxLayout {
  const secrets = join(directory, "secrets");
  const log = (name: string) => join(directory, "logs", `${name}.log`);
  return {
    directory,
    document: join(directory, "sandbox.json"),
    lock: join(directory, "supervisor"),
    certificates: join(directory, "certificates"),
    postgres: join(directory, "postgres"),
    secrets,
    sealingKey: join(secrets, "sealing-key"),
    databasePasswords: join(secrets, "database-passwords.json"),
    databaseUrl: {
      auth: join(secrets, "auth-database-url"),
      resource: join(secrets, "resource-database-url"),
    },
    redisUrl: join(secrets, "redis-url"),
    psuCredentials: join(secrets, "psus.json"),
    readyApplication: join(secrets, "ready-application.json"),
    logs: { sandbox: log("sandbox"), auth: log("auth"), resource: log("resource") },
    tpp: join(directory, "tpp"),
  };
}
