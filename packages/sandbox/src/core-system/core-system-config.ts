import { resolve } from "node:path";
import {
  type Environment,
  parseDatabasePlace,
  readConfiguration,
  type Variable,
} from "@cobs/service-edge/configuration";

/** Configuration of `npm run core-system`. */
export interface CoreSystemConfig {
  /** 0 takes a free port. */
  readonly port: number;
  /** The folder of the sandbox, absolute. */
  readonly directory: string;
  /** Undefined means the sandbox's database. */
  readonly databaseUrl: string | undefined;
  readonly logLevel: string;
}

/** Every variable of the command. */
export const CORE_SYSTEM_VARIABLES: readonly Variable[] = [
  { name: "CORE_SYSTEM_PORT", meaning: "Port of the core system", default: "9445" },
  { name: "SANDBOX_DIRECTORY", meaning: "Folder of the sandbox", default: ".sandbox" },
  {
    name: "RESOURCE_DATABASE_URL",
    meaning: "Database of another resource server, instead of the sandbox's",
    optional: true,
    secret: true,
  },
  { name: "LOG_LEVEL", meaning: "`debug`, `info`, `warn` or `error`", default: "warn" },
];

/** Reads the configuration; refuses with all faults at once. */
export function configureCoreSystem(environment: Environment): CoreSystemConfig {
  return readConfiguration<CoreSystemConfig>(CORE_SYSTEM_VARIABLES, environment, (read) => ({
    port: () => read.port("CORE_SYSTEM_PORT"),
    directory: () => resolve(read.text("SANDBOX_DIRECTORY")),
    databaseUrl: () =>
      read.optionalSecret("RESOURCE_DATABASE_URL", (url) => {
        parseDatabasePlace(url);
        return url;
      }),
    logLevel: () => read.choice("LOG_LEVEL", ["debug", "info", "warn", "error"]),
  }));
}
