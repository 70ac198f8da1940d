/** The database alone, with its log, configuration and repeated work, for programs that open no listener. */
export * from "./configuration.ts";
export * from "./database/database-postgres.ts";
export * from "./database/database-unavailable.ts";
export * from "./database/database-unsuitable.ts";
export * from "./database/gather.ts";
export * from "./database/list-statement.ts";
export * from "./database/migrate-postgres.ts";
export * from "./database/run-each.ts";
export * from "./database/start-batches.ts";
export * from "./database/tell-failure.ts";
export * from "./database/trusting-database-clock.ts";
export * from "./database/when-database-answers.ts";
export * from "./lifecycle/repeat.ts";
export * from "./log/log.ts";
