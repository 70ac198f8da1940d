/** Only the database with its log, configuration and repeated work, for programs that open no listener. */
export * from "./configuration.ts";
export * from "./database/database-postgres.ts";
export * from "./database/database-unavailable.ts";
export * from "./database/database-unsuitable.ts";
export * from "./database/gather.ts";
export * from "./database/list-statement.ts";
export * from "./database/migrate-postgres.ts";
export * from "./database/when-database-answers.ts";
export * from "./jobs/repeat.ts";
export * from "./jobs/run-each.ts";
export * from "./jobs/start-batches.ts";
export * from "./jobs/start-forgetting.ts";
export * from "./jobs/tell-failure.ts";
export * from "./jobs/trusting-database-clock.ts";
export * from "./log/log.ts";
