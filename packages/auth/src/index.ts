export { readSealingKey } from "./psu/sealing.ts";
export { type SandboxPsu, seedSandboxDirectory } from "./psu/seed-sandbox-directory-postgres.ts";
