import { NoDatabaseConnection } from "@cobs/service-edge/database";
import { expect } from "chai";
import { refuseUnusableDatabase } from "../../../packages/sandbox/src/start/refuse-unusable-database.ts";
import { SandboxRefusal } from "../../../packages/sandbox/src/start/sandbox-refusal.ts";

/** An error as PostgreSQL and the operating system give it. */
const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe("Database given to a sandbox", () => {
  const UNUSABLE: Readonly<Record<string, Error>> = {
    'password authentication failed for user "auth"': withCode(
      'password authentication failed for user "auth"',
      "28P01",
    ),
    'database "auth" does not exist': withCode('database "auth" does not exist', "3D000"),
    "no connection to the database: self-signed certificate": new NoDatabaseConnection(
      withCode("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    ),
    ECONNREFUSED: withCode("", "ECONNREFUSED"),
  };
  for (const [words, error] of Object.entries(UNUSABLE))
    it(`is refused in a sentence: ${words}`, () => {
      expect(() => refuseUnusableDatabase("auth", error))
        .to.throw(SandboxRefusal, `The database of auth cannot be used: ${words}`)
        .with.property("cause", error);
    });

  it("is not blamed for a fault of ours", () => {
    const fault = withCode('syntax error at or near "TABEL"', "42601");
    expect(() => refuseUnusableDatabase("auth", fault))
      .to.throw(fault.message)
      .that.equals(fault);
  });
});
