import { expect } from "chai";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";

const read = (url: string) => {
  const { password, ...place } = parseRedisPlace(url);
  return { ...place, password: password?.reveal() };
};
const NOBODY = { tls: false, username: undefined, password: undefined };

describe("URL of a Redis", () => {
  it("names one server, with the usual port and database by default", () => {
    const server = { host: "redis.example", port: 6379 };
    expect(read("redis://redis.example")).to.deep.equal({ ...NOBODY, form: "single", server, database: 0 });
    expect(read("redis://[::1]:7000/2")).to.deep.equal({
      ...NOBODY,
      form: "single",
      server: { host: "::1", port: 7000 },
      database: 2,
    });
  });

  it("may have a name and a password, percent-encoded", () => {
    expect(read("rediss://auth:a%2Fb%40c@redis.example:6380/0")).to.include({
      tls: true,
      username: "auth",
      password: "a/b@c",
    });
    expect(read("redis://:only@redis.example")).to.include({ username: undefined, password: "only" });
  });

  it("may have any password, for a server or Sentinels, when percent-encoded", () => {
    const password = ' %41 50%25 a+b:c@d/e?f#g,h "i\\j" příliš ';
    const encoded = encodeURIComponent(password);
    for (const url of [`redis://auth:${encoded}@one`, `redis+sentinel://auth:${encoded}@one,two/bank`])
      expect(read(url), url).to.include({ username: "auth", password });
  });

  it("names Sentinels and their group", () => {
    expect(read("redis+sentinel://one,two:26380/bank/1")).to.deep.equal({
      ...NOBODY,
      form: "sentinel",
      sentinels: [
        { host: "one", port: 26_379 },
        { host: "two", port: 26_380 },
      ],
      group: "bank",
      database: 1,
    });
  });

  it("names nodes of a Cluster", () => {
    const nodes = [1, 2, 3].map((number) => ({ host: `node${number}`, port: 7000 + number }));
    const url = "rediss+cluster://node1:7001,node2:7002,node3:7003";
    expect(read(url)).to.deep.equal({ ...NOBODY, tls: true, form: "cluster", nodes });
  });

  for (const url of [
    "",
    "https://redis.example",
    "redis://",
    "redis://one,two",
    "redis://one/two",
    "redis://one/0/1",
    "redis://one:70000",
    "redis://one:0",
    "redis://user:%zz@one",
    "redis+sentinel://one",
    "redis+sentinel://one/group/0/1",
    "redis+cluster://one/1",
    "redis+proxy://one",
    "redis://one?db=1",
  ])
    it(`is refused as "${url}"`, () => {
      expect(() => parseRedisPlace(url)).to.throw(Error);
    });

  it("is never repeated when it is refused", () => {
    expect(() => parseRedisPlace("redis://user:hidden@one,two"))
      .to.throw(Error)
      .and.not.match(/hidden/);
    expect(JSON.stringify(parseRedisPlace("redis://user:hidden@one"))).not.to.match(/hidden/);
  });
});
