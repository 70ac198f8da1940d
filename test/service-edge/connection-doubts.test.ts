import { expect } from "chai";
import { doubtConnections } from "../../packages/service-edge/src/configuration/connection-doubts.ts";
import { Secret } from "../../packages/service-edge/src/configuration/secret.ts";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";

const LOCAL = "postgresql://auth:secret@127.0.0.1:5432/auth";
const NONE = "asks for no TLS to another machine: sslmode=verify-full protects what is sent";
const UNVERIFIED =
  "asks for TLS without a full check of the server, so that another machine can pose as the database: use sslmode=verify-full";

function ofDatabase(url: string, mode: "production" | "sandbox" = "production"): readonly string[] {
  return doubtConnections({ mode, databaseUrl: new Secret(url) });
}

function ofRedis(url: string): readonly string[] {
  const redis = { place: parseRedisPlace(url), authority: undefined };
  return doubtConnections({ mode: "production", databaseUrl: new Secret(LOCAL), redis });
}

describe("Connections to PostgreSQL and Redis (RTS Article 35(1))", () => {
  it("are doubted when another machine is reached without TLS, or with a server that is not fully checked", () => {
    const url = "postgresql://auth:secret@db.bank.example/auth";
    for (const query of ["", "?sslmode=disable", "?ssl=0", "?ssl="])
      expect(ofDatabase(`${url}${query}`), query).to.deep.equal([`DATABASE_URL ${NONE}`]);
    for (const query of ["?sslmode=no-verify", "?ssl=no-verify", "?uselibpqcompat=true&sslmode=require"])
      expect(ofDatabase(`${url}${query}`), query).to.deep.equal([`DATABASE_URL ${UNVERIFIED}`]);
    for (const host of ["127.0.0.1,db.bank.example", "10.0.0.1", "[fd00::1]"])
      expect(ofDatabase(`postgresql://a@${host}/auth`), host).to.deep.equal([`DATABASE_URL ${NONE}`]);
    const [direct, ...others] = doubtConnections({
      mode: "production",
      databaseUrl: new Secret(LOCAL),
      databaseDirectUrl: new Secret(url),
    });
    expect([direct, ...others]).to.deep.equal([`DATABASE_DIRECT_URL ${NONE}`]);
    const forms = ["redis://cache", "redis+sentinel://127.0.0.1,cache/group", "redis+cluster://cache,[::1]"];
    for (const form of forms)
      expect(ofRedis(form), form).to.deep.equal([
        "REDIS_URL asks for no TLS to another machine: rediss protects what is sent",
      ]);
  });

  it("are not doubted on one machine, with TLS that checks the server, or in the sandbox", () => {
    const verified = "postgresql://auth@db.bank.example/auth?sslmode=verify-full";
    const local = ["localhost", "127.0.0.1", "[::1]", "127.0.0.1,localhost"].map(
      (host) => `postgresql://auth@${host}/auth`,
    );
    const socket = "postgresql:///auth?host=/var/run/postgresql";
    for (const url of [verified, ...local, socket]) expect(ofDatabase(url), url).to.deep.equal([]);
    expect(ofDatabase("postgresql://auth@db.bank.example/auth", "sandbox")).to.deep.equal([]);
    for (const url of ["rediss://cache", "redis://127.0.0.1", "redis+cluster://localhost,[::1]"])
      expect(ofRedis(url), url).to.deep.equal([]);
  });
});
