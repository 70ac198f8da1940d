import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parsePsuId } from "@cobs/cobs-model";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import type { SandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/sandbox-directory.ts";
import { createSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/sandbox-directory-postgres.ts";
import { seedSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/seed-sandbox-directory-postgres.ts";
import {
  bucketOf,
  bucketOfDevice,
  bucketOfProof,
} from "../../../../packages/auth/src/psu/sandbox/sign-in-failures-postgres.ts";
import { deriveKey, readSealingKey } from "../../../../packages/auth/src/sealing/sealing.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../../../support/test-databases.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../../packages/auth/migrations", import.meta.url));
const NOW = new Date("2026-07-31T12:00:10Z");
const COST = { cost: 1024, blockSize: 8, parallelization: 1 };
const sealingKey = readSealingKey(new Secret(randomBytes(32).toString("base64url")));
/** The keys by which the directory finds where failures are counted. */
const [usernameKey, proofKey] = [
  deriveKey(sealingKey, "sign-in-failures"),
  deriveKey(sealingKey, "proof-failures"),
];

const eva = {
  psuId: "psu-eva",
  username: "eva",
  displayName: "Eva Malá",
  password: "modrá velryba 17",
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};
const EVA = parsePsuId(eva.psuId);

const named = (what: string) => Array.from({ length: 8_000 }, (_, index) => `${what}-${index}`);

/** A username and the id of a credential whose hashes are alike, as whoever chooses ids enough finds them. */
function findAlike(): { readonly username: string; readonly credential: string } {
  const usernames = new Map(named("psu").map((each) => [bucketOf(usernameKey, each), each]));
  for (const credential of named("credential")) {
    const username = usernames.get(bucketOf(proofKey, credential));
    if (username !== undefined) return { username, credential };
  }
  throw new Error("none of 64 million pairs is alike");
}

describe("Failures of passkeys in the sandbox's directory", () => {
  let database: Database;
  let directory: SandboxDirectory;

  before(async () => {
    const url = new Secret(await createTestDatabase());
    const { log } = readableLog();
    await migrateDatabase({ url, directory: MIGRATIONS, log });
    database = openDatabase({ url, maxConnections: 4, applicationName: "test", log, timeLimits: PATIENT });
    await seedSandboxDirectory(database, [eva], sealingKey, COST);
    directory = createSandboxDirectory(database, sealingKey, COST);
  });

  after(() => database.close());

  const circumstances = { now: NOW, device: undefined };
  const guess = async (username: string) =>
    (await directory.signIn({ username, password: "wrong", oneTimeCode: "000000" }, circumstances)).outcome;
  const prove = async (name: string, isGood: boolean) => {
    const proof = { name, findNamed: async () => EVA, prove: async () => (isGood ? EVA : undefined) };
    return (await directory.signInWithProof({ ...proof, known: undefined }, circumstances)).outcome;
  };

  it("are counted apart from those of usernames and devices", () => {
    const buckets = (at: (key: typeof proofKey, name: string) => number) =>
      named("name").map((name) => at(proofKey, name));
    const proofs = buckets(bucketOfProof);
    const others = [...buckets(bucketOf), ...buckets(bucketOfDevice)];
    expect(Math.min(...proofs)).to.be.greaterThan(Math.max(...others));
    expect(Math.min(...proofs)).to.be.at.least(2 ** 20 + 2 ** 30);
    expect(Math.max(...proofs)).to.be.below(2 ** 31);
  });

  it("are forgotten without those of a username, whatever id the passkey has (RTS Article 4(3)(b))", async () => {
    const { username, credential } = findAlike();
    for (let tries = 0; tries < 4; tries += 1) expect(await guess(username)).to.equal("refused");
    expect(await prove(credential, true)).to.equal("signed-in");
    expect(await guess(username)).to.equal("refused");
    expect(await guess(username)).to.equal("blocked");
    expect(await prove(credential, true)).to.equal("signed-in");
  });

  it("block the passkey after five in a row, but no username (RTS Article 4(3)(b))", async () => {
    const { username, credential } = findAlike();
    await database.run({ name: "reset-failures", text: "DELETE FROM sandbox_sign_in_failure", values: [] });
    for (let tries = 0; tries < 5; tries += 1) expect(await prove(credential, false)).to.equal("refused");
    expect(await prove(credential, true)).to.equal("blocked");
    expect(await guess(username)).to.equal("refused");
  });
});
