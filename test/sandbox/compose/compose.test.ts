import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { BlockList, createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { configure as configureAuth } from "@cobs/auth";
import { configure as configureResource } from "@cobs/resource";
import { expect } from "chai";
import { COMPOSE_PORTS, composeLayout } from "../../../packages/sandbox/src/compose/compose-layout.ts";
import { writeComposeFiles } from "../../../packages/sandbox/src/compose/write-compose-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type ComposeService, ROOT, readComposeFile, readComposeNetworks } from "./compose-file.ts";

const OWN = "/run/own";
const COMPLETED = "service_completed_successfully";
const MEMBERS = {
  "auth-1": "auth",
  "auth-2": "auth",
  "resource-1": "resource",
  "resource-2": "resource",
} as const;
const CONFIGURE = { auth: configureAuth, resource: configureResource };

describe("docker-compose.yml", () => {
  const folder = temporaryFolder();
  const layout = composeLayout(folder.path);
  const services = readComposeFile();
  const serviceOf = (name: string): ComposeService => {
    const found = services[name];
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const namesOf = (holds: (service: ComposeService) => boolean) =>
    Object.entries(services).flatMap(([name, service]) => (holds(service) ? [name] : []));
  before(() => writeComposeFiles(layout));
  after(() => folder.remove());

  for (const [name, service] of Object.entries(MEMBERS))
    it(`configures ${name} completely, with the files that its one-shot writes`, () => {
      const { environment = {} } = serviceOf(name);
      const here = Object.entries(environment).map(([variable, value]) => [
        variable,
        value.replace(OWN, layout[service]),
      ]);
      const config = CONFIGURE[service](Object.fromEntries(here));
      expect(config.mode).to.equal("sandbox");
      expect(config.clientCertificateSource).to.deep.include({ kind: "forwarded", format: "rfc9440" });
    });

  it("keeps the contents of its files when started again, but replaces the files", async () => {
    const files = ["database-url", "sealing-key", "bank-client.key"].map((name) => join(layout.auth, name));
    const read = () => files.map((file) => readFileSync(file, "utf8"));
    const written = read();
    // Containers of a former start may be reading: what they have open is not written to.
    const inPlace = files.map((file) => statSync(file).ino);
    await writeComposeFiles(layout);
    expect(read()).to.deep.equal(written);
    for (const [index, file] of files.entries())
      expect(statSync(file).ino, file).not.to.equal(inPlace[index]);
  });

  it("keeps keys and passwords in files that only their reader can read", () => {
    for (const file of [
      "auth/database-url",
      "auth/redis-url",
      "auth/sealing-key",
      "auth/server.key",
      "proxy/proxy.pem",
      "redis/redis.conf",
      "postgres/password",
    ])
      expect(statSync(join(folder.path, file)).mode & 0o077, file).to.equal(0);
  });

  it("has no secret in an environment: those variables name files", () => {
    for (const [name, { environment = {} }] of Object.entries(services))
      for (const [variable, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|KEY|DATABASE_URL|REDIS_URL/.test(variable))
          expect(value, `${variable} of ${name}`).to.match(/^\/run\/own\//);
  });

  it("runs all but PostgreSQL unprivileged, on a read-only root", () => {
    const confined = ({ user, read_only, cap_drop, security_opt }: ComposeService) =>
      user !== undefined &&
      !["root", "0"].includes(user) &&
      read_only === true &&
      cap_drop?.includes("ALL") === true &&
      security_opt?.includes("no-new-privileges:true") === true;
    expect(namesOf((service) => !confined(service))).to.deep.equal(["postgres"]);
  });

  it("keeps only the newest part of each log, so that none fills the disk", () => {
    const bounded = { driver: "local", options: { "max-size": "50m", "max-file": "5" } };
    for (const [name, { logging }] of Object.entries(services)) expect(logging, name).to.deep.equal(bounded);
  });

  it("has a health check for every service that stays up", () => {
    const stays = namesOf(({ restart }) => restart === "unless-stopped");
    expect(stays).to.have.members([...Object.keys(MEMBERS), "postgres", "redis", "proxy"]);
    for (const name of stays) expect(serviceOf(name).healthcheck, name).to.be.an("object");
  });

  it("checks the proxy's health by whether it accepts connections", async () => {
    const { healthcheck, environment } = serviceOf("proxy");
    const [kind, program = "", ...words] = healthcheck?.test ?? [];
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const [, wanted = ""] = (environment?.API_ADDRESS ?? "").split(":");
    const { port } = Object(server.address());
    const here = words.map((word) => word.replace(wanted, String(port)));
    const isWell = () =>
      promisify(execFile)(program, here).then(
        () => true,
        () => false,
      );
    expect({ kind, isHere: here.some((word) => word.includes(String(port))) }).to.deep.equal({
      kind: "CMD",
      isHere: true,
    });
    expect(await isWell(), "while it listens").to.equal(true);
    await new Promise((closed) => server.close(closed));
    expect(await isWell(), "when it is gone").to.equal(false);
  });

  it("starts no one-shot that nothing waits for, because `up --wait` would report its end as a failure", () => {
    const started = namesOf(({ profiles }) => profiles === undefined);
    const isWaitedFor = (name: string) =>
      started.some((other) => serviceOf(other).depends_on?.[name]?.condition === COMPLETED);
    const oneShots = namesOf(({ restart }) => restart !== "unless-stopped");
    expect(oneShots).to.have.members(["prepare", "seed", "ready", "tpp"]);
    expect(oneShots.filter((name) => started.includes(name) && !isWaitedFor(name))).to.deep.equal([]);
    expect(serviceOf("tpp").depends_on?.ready?.condition).to.equal(COMPLETED);
  });

  it("publishes the two public names and nothing else, on loopback", () => {
    expect(namesOf(({ ports }) => ports !== undefined)).to.deep.equal(["proxy"]);
    const { authBrowser, authMutualTls } = COMPOSE_PORTS;
    expect(serviceOf("proxy").ports).to.deep.equal(
      [authBrowser, authMutualTls].map((port) => `127.0.0.1:${port}:${port}`),
    );
  });

  it("gives auth the proxy's address, which is fixed and given to no other container", () => {
    const address = Object(serviceOf("proxy").networks).inside.ipv4_address;
    for (const name of ["auth-1", "auth-2"])
      expect(serviceOf(name).environment?.BROWSER_PROXIES, name).to.equal(address);
    const [{ subnet, ip_range } = { subnet: "", ip_range: "" }] =
      readComposeNetworks().inside?.ipam?.config ?? [];
    const covers = (range: string) => {
      const [network = "", bits = ""] = range.split("/");
      const list = new BlockList();
      list.addSubnet(network, Number(bits));
      return list.check(address);
    };
    expect(covers(subnet)).to.equal(true);
    // What is given out to others, some of which may be there before it.
    expect(covers(ip_range)).to.equal(false);
  });

  it("runs our images under an init, so that SIGTERM ends them even before they listen for it", () => {
    const isOurs = ({ image }: ComposeService) => image.startsWith("cobs-");
    expect(namesOf(({ init }) => init === true)).to.have.members(namesOf(isOurs));
  });

  it("gives a service more time to end than it takes", () => {
    for (const name of Object.keys(MEMBERS)) {
      const { environment = {}, stop_grace_period = "0s" } = serviceOf(name);
      const { DRAIN_DELAY_SECONDS, DRAIN_LIMIT_SECONDS } = environment;
      const takes = Number(DRAIN_DELAY_SECONDS) + Number(DRAIN_LIMIT_SECONDS) + 5;
      expect(Number.parseInt(stop_grace_period, 10), name).to.be.greaterThan(takes);
    }
  });

  it("gives HAProxy every variable of its file", () => {
    const file = readFileSync(resolve(ROOT, "packages/service-edge/proxies/haproxy.cfg"), "utf8");
    const given = serviceOf("proxy").environment ?? {};
    const used = new Set([...file.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name));
    const others = [...used].filter((name) => !/_[34]_/.test(name));
    expect(Object.keys(given)).to.have.members(others);
  });
});
