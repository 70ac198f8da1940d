import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { configureTopology } from "../../../scripts/topology/configuration.ts";
import { runScript } from "../../support/run-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const AUTH = "postgresql://auth:secret-1@127.0.0.1/auth";
const RESOURCE = "postgresql://resource:secret-2@127.0.0.1/resource";
const REDIS = "redis://:secret-3@127.0.0.1:6379";

describe("Configuration of a topology", () => {
  const folder = temporaryFolder();
  after(folder.remove);

  it("takes the stores from the environment, where no other user of the machine can read their passwords", () => {
    const environment = { AUTH_DATABASE_URL: AUTH, RESOURCE_DATABASE_URL: RESOURCE, REDIS_URL: REDIS };
    const database = { auth: AUTH, resource: RESOURCE };
    expect(configureTopology(environment)).to.deep.equal({ database, redis: REDIS });
  });

  it("also takes them from files, and needs none of them", () => {
    const file = join(folder.path, "redis-url");
    writeFileSync(file, `${REDIS}\n`);
    expect(configureTopology({ REDIS_URL_FILE: file })).to.deep.equal({ database: undefined, redis: REDIS });
  });

  it("is refused with every fault and without a password, before anything is started", async () => {
    const environment = {
      AUTH_DATABASE_URL: "mysql://auth:secret-1@db/auth",
      RESOURCE_DATABASE_URL_FILE: join(folder.path, "absent"),
    };
    const { exitCode, stdout, stderr } = await runScript("scripts/topology/main.ts", [], environment);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 78, stdout: "" });
    expect(stderr)
      .to.match(/^.*AUTH_DATABASE_URL: must be postgresql:\/\//m)
      .and.match(/^.*RESOURCE_DATABASE_URL_FILE: the file .* cannot be read/m)
      .and.not.include("secret-1")
      .and.not.include("are given together");
  });

  it("is refused with one database alone, also one that is wrong", () => {
    for (const environment of [
      { AUTH_DATABASE_URL: AUTH },
      { RESOURCE_DATABASE_URL: RESOURCE },
      { RESOURCE_DATABASE_URL: "mysql://db/resource" },
    ])
      expect(() => configureTopology(environment)).to.throw("are given together");
  });
});
