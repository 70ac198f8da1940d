import { inspect } from "node:util";
import {
  ConfigurationRefusal,
  presentVariables,
  readConfiguration,
  Secret,
  type Variable,
} from "@cobs/service-edge";
import { expect } from "chai";

const VARIABLES: readonly Variable[] = [
  { name: "COUNT", meaning: "A count", default: "8443", bounds: [1, 65_535] },
  { name: "KIND", meaning: "A choice" },
  { name: "PASSWORD", meaning: "A password", secret: true },
];

interface Example {
  readonly count: number;
  readonly kind: "a" | "b";
  readonly password: Secret;
}

const configure = (environment: Record<string, string>) =>
  readConfiguration<Example>(VARIABLES, environment, (read) => ({
    count: () => read.integer("COUNT"),
    kind: () => read.choice("KIND", ["a", "b"]),
    password: () => read.secret("PASSWORD"),
  }));

describe("Configuration", () => {
  it("applies defaults, checks values and is frozen", () => {
    const config = configure({ KIND: "b", PASSWORD: "x" });
    expect(config).to.include({ count: 8443, kind: "b" });
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it("reports every fault at once", () => {
    expect(() => configure({ COUNT: "0", KIND: "c" }))
      .to.throw(ConfigurationRefusal)
      .with.property("faults")
      .that.deep.equals([
        "COUNT must be a whole number from 1 to 65535",
        "KIND must be one of: a, b",
        "PASSWORD is required: A password",
      ]);
  });

  it("accepts whole numbers up to both of their bounds, in decimal digits alone", () => {
    const countOf = (COUNT: string) => configure({ COUNT, KIND: "a", PASSWORD: "x" }).count;
    for (const count of [1, 65_535]) expect(countOf(String(count))).to.equal(count);
    for (const count of ["0", "65536", "-1", "+1", "1.5", "1e3", "0x50", " 80", "80 ", "1_000"])
      expect(() => countOf(count), count).to.throw(
        ConfigurationRefusal,
        /COUNT must be a whole number from 1 to 65535/,
      );
  });

  it("accepts as an origin only https with a host and a port, and nothing more", () => {
    const originOf = (URL: string) =>
      readConfiguration<{ url: URL }>([{ name: "URL", meaning: "An origin" }], { URL }, (read) => ({
        url: () => read.origin("URL"),
      })).url.href;
    for (const origin of ["https://a.bank", "https://a.bank/", "https://a.bank:8443"])
      expect(originOf(origin)).to.match(/^https:\/\/a\.bank(?::8443)?\/$/);
    for (const origin of [
      "http://a.bank",
      "a.bank",
      "https://a.bank/path",
      "https://a.bank?x=1",
      "https://a.bank#x",
      "https://user@a.bank",
      "https://:password@a.bank",
    ])
      expect(() => originOf(origin), origin).to.throw(ConfigurationRefusal, /URL must be /);
  });

  it("accepts only addresses and host names for a listener", () => {
    const hostOf = (host: string) =>
      readConfiguration<{ host: string }>([{ name: "HOST", meaning: "A host" }], { HOST: host }, (read) => ({
        host: () => read.host("HOST"),
      })).host;
    for (const host of [
      "0.0.0.0",
      "::",
      "fe80::1%eth0",
      "localhost",
      "resource_1",
      "a.bank.example",
      "a".repeat(63),
    ])
      expect(hostOf(host)).to.equal(host);
    for (const host of [
      "https://a.bank",
      "a.bank:8443",
      "[::1]",
      "127.0.0.256",
      "a.256",
      "a".repeat(64),
      "a bank",
      "*",
      "a..b",
      "-a",
    ])
      expect(() => hostOf(host)).to.throw(ConfigurationRefusal, /HOST must be an IP address or a host name/);
  });

  it("refuses one port for two listeners, unless any free one is asked for", () => {
    const variables = ["ONE", "OTHER"].map((name) => ({ name, meaning: "A port" }));
    const ports = (one: string, other: string) => () =>
      readConfiguration<{ one: number; other: number }>(variables, { ONE: one, OTHER: other }, (read) => ({
        one: () => read.port("ONE"),
        other: () => read.port("OTHER"),
      }));
    expect(ports("0", "0")()).to.deep.equal({ one: 0, other: 0 });
    expect(ports("8443", "8443")).to.throw(ConfigurationRefusal, /OTHER must not be the same port as ONE/);
  });

  it("does not reveal secrets, however it is printed", () => {
    const config = configure({ KIND: "a", PASSWORD: "hunter2" });
    expect(config.password.reveal()).to.equal("hunter2");
    expect(`${config.password} ${JSON.stringify(config)} ${inspect(config, { depth: 9 })}`).not.to.include(
      "hunter2",
    );
    expect(Object.values(new Secret("hunter2"))).to.deep.equal([]);
  });

  it("refuses a secret that is given both directly and as a file, or as an empty file", () => {
    const both = () => configure({ KIND: "a", PASSWORD: "x", PASSWORD_FILE: "/etc/hostname" });
    expect(both).to.throw(
      ConfigurationRefusal,
      /PASSWORD and PASSWORD_FILE are both set: remove one of them/,
    );
    expect(configure({ KIND: "a", PASSWORD: "x", PASSWORD_FILE: "" }).password.reveal()).to.equal("x");
    expect(() => configure({ KIND: "a", PASSWORD_FILE: "/dev/null" })).to.throw(
      ConfigurationRefusal,
      "PASSWORD_FILE: the file /dev/null is empty",
    );
  });

  describe("with a misspelt variable", () => {
    const FAR: readonly Variable[] = [
      { name: "GRACE_SECONDS", meaning: "A time", default: "900" },
      { name: "LOG_LEVEL", meaning: "A level", default: "info" },
      { name: "REDIS_URL", meaning: "A place", optional: true, secret: true },
      { name: "MODE", meaning: "A mode", default: "production" },
    ];
    const faultsOf = (environment: Record<string, string>) => {
      try {
        readConfiguration(FAR, environment, () => ({}));
        return [];
      } catch (error) {
        return error instanceof ConfigurationRefusal ? error.faults : [String(error)];
      }
    };
    const misspelt = (name: string, meant: string) =>
      `${name} is not a variable; did you mean ${meant}, which is not set?`;

    it("names the one that is meant, whether letters or underscores are wrong", () => {
      for (const [name, meant] of [
        ["GRACE_SECOND", "GRACE_SECONDS"],
        ["GRACE_SECONDSS", "GRACE_SECONDS"],
        ["GRACE_SEKONDS", "GRACE_SECONDS"],
        ["GRACESECONDS", "GRACE_SECONDS"],
        ["GRCE_SECONDS", "GRACE_SECONDS"],
        ["GRACE_SECOONDS", "GRACE_SECONDS"],
        ["xGRACE_SECONDS", "GRACE_SECONDS"],
        ["GRACE_SECODNS", "GRACE_SECONDS"],
        ["GRACE_SECONSD", "GRACE_SECONDS"],
        ["grace_seconds", "GRACE_SECONDS"],
        ["LOGLEVEL", "LOG_LEVEL"],
        ["REDIS_URLFILE", "REDIS_URL_FILE"],
      ] as const)
        expect(faultsOf({ [name]: "1" }), name).to.deep.equal([misspelt(name, meant)]);
    });

    it("ignores it when the one meant is set, or the name is short, empty or too different", () => {
      expect(faultsOf({ GRACE_SECOND: "1", GRACE_SECONDS: "2" })).to.deep.equal([]);
      expect(
        faultsOf({ mode: "1", MODES: "1", REDIS_URI: "1", GRCE_SECOND: "1", GRACE_SECOSDN: "1" }),
      ).to.deep.equal([]);
      expect(faultsOf({ GRACE_SECOND: "", GRACE_MINUTES: "1", HOME: "/" })).to.deep.equal([]);
    });
  });

  it("fills the README's table from the same rows", () => {
    expect(presentVariables(VARIABLES))
      .to.include("| `KIND` | A choice | required |  |")
      .and.to.include("| `COUNT` | A count | `8443` (1 to 65,535) |  |");
  });

  it("names every missing variable of several that belong together", () => {
    const [first, second] = [
      { name: "KEY_FILE", meaning: "A key" },
      { name: "CERTIFICATE_FILE", meaning: "A certificate" },
    ];
    const read = () =>
      readConfiguration<{ readonly pair: { readonly key: string; readonly certificate: string } }>(
        [first, second],
        {},
        ({ together, text }) => ({
          pair: () => together({ key: () => text(first.name), certificate: () => text(second.name) }),
        }),
      );
    expect(read).to.throw(ConfigurationRefusal).with.property("faults").that.has.length(2);
  });
});
