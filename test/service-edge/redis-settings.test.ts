import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ConfigurationRefusal,
  type Environment,
  REDIS_VARIABLES,
  type RedisSettings,
  readConfiguration,
  readRedisSettings,
} from "@cobs/service-edge";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";

const read = (environment: Environment) =>
  readConfiguration<{ redis: RedisSettings | undefined }>(REDIS_VARIABLES, environment, (reader) => ({
    redis: () => readRedisSettings(reader),
  })).redis;

describe("Redis variables", () => {
  const folder = temporaryFolder();
  const fileWith = (text: string) => {
    const path = join(folder.path, "file");
    writeFileSync(path, text);
    return path;
  };
  after(() => folder.remove());

  it("may be absent, which means no Redis", () => {
    expect(read({})).to.equal(undefined);
    expect(read({ REDIS_URL: "" })).to.equal(undefined);
  });

  it("give the URL, or a file that holds it", () => {
    expect(read({ REDIS_URL: "redis://one" })?.place.form).to.equal("single");
    const place = read({ REDIS_URL_FILE: fileWith("redis+cluster://:hidden@one,two\n") })?.place;
    expect(place?.form).to.equal("cluster");
    expect(place?.password?.reveal()).to.equal("hidden");
  });

  it("give an authority for a Redis with TLS only", async () => {
    const { caFile: REDIS_AUTHORITY_FILE } = await testCertificates();
    const settings = read({ REDIS_URL: "rediss://one", REDIS_AUTHORITY_FILE });
    expect(settings?.authority).to.equal(readFileSync(REDIS_AUTHORITY_FILE, "utf8"));
    for (const environment of [{ REDIS_URL: "redis://one", REDIS_AUTHORITY_FILE }, { REDIS_AUTHORITY_FILE }])
      expect(() => read(environment)).to.throw(ConfigurationRefusal, /REDIS_AUTHORITY_FILE/);
  });

  it("are refused without repeating the password, and when the file is missing", () => {
    expect(() => read({ REDIS_URL: "redis://:hidden@one,two" }))
      .to.throw(ConfigurationRefusal, /REDIS_URL: must be/)
      .with.property("message")
      .that.does.not.match(/hidden/);
    expect(() => read({ REDIS_URL_FILE: join(folder.path, "none") })).to.throw(ConfigurationRefusal);
  });

  it("are refused when the file is empty, as this process alone would do without Redis", () => {
    expect(() => read({ REDIS_URL_FILE: fileWith("\n") })).to.throw(
      ConfigurationRefusal,
      `REDIS_URL_FILE: the file ${join(folder.path, "file")} is empty`,
    );
  });
});
