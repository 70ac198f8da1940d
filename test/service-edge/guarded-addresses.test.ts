import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { type OutsideServer, openOutsideServer } from "../support/outside-server.ts";
import { rejectionOf } from "../support/rejection.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { verifyingNobody } from "../support/verifying-nobody.ts";

/** Stands for a public address: the rules are the same, and nothing leaves this machine. */
const PUBLIC = "127.0.0.1";
const PRIVATE = "127.0.0.2";
/** Reached at the private address too, where the machine has it. */
const EVERYWHERE = "0.0.0.0";

describe("Address of a revocation source", () => {
  let server: OutsideServer;
  let hidden: OutsideServer;
  const opened: GuardedFetch[] = [];

  before(async () => {
    hidden = await openOutsideServer((_request, response) => void response.end("inside"), EVERYWHERE);
    server = await openOutsideServer((request, response) => {
      if (request.url === "/inside")
        response.writeHead(302, { location: `http://${PRIVATE}:${hidden.port}/` });
      if (request.url === "/name")
        response.writeHead(302, { location: `http://inside.example:${hidden.port}/` });
      response.end("outside");
    });
  });
  after(async () => {
    await Promise.all(opened.map((outside) => outside.close()));
    server.close();
    hidden.close();
  });

  function get(options: GuardedFetchOptions, url: string): Promise<Buffer> {
    const outside = createGuardedFetch(options);
    opened.push(outside);
    return outside.fetch({
      url: new URL(url),
      body: undefined,
      contentType: undefined,
      accept: "*/*",
      limitOctets: 1_000,
      limitMilliseconds: 5_000,
    });
  }

  /** A guard that takes one loopback address for public, and names that mean what is said here, in turn. */
  function guardOf(...answers: string[][]): GuardedFetchOptions {
    let asked = 0;
    return {
      allowsPrivateAddresses: false,
      isPublic: (address) => address === PUBLIC,
      resolve: async () => {
        const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
        asked += 1;
        return addresses.map((address) => ({ address, family: 4 }));
      },
    };
  }

  for (const host of [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0x7f000001",
    "0x7f.0x0.0x0.0x1",
    "①②⑦.0.0.1",
    "127%2e0%2e0%2e1",
    "0.0.0.0",
    "0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "169.254.169.254",
  ]) {
    it(`is refused when it belongs to this machine or network, spelled ${host}`, async () => {
      const before = server.connections;
      const { message } = await rejectionOf(
        get({ allowsPrivateAddresses: false }, `http://${host}:${server.port}/`),
      );
      // Some resolvers know no name that ends in a dot, or ask somebody for it who does not answer.
      expect(message).to.match(/not a public address|ENOTFOUND|EAI_AGAIN/);
      expect(server.connections).to.equal(before);
    });
  }

  it("may be of this machine when private addresses are allowed", async () => {
    const answer = await get({ allowsPrivateAddresses: true }, `http://localhost:${server.port}/`);
    expect(String(answer)).to.equal("outside");
  });

  it("is asked by its name when all addresses of the name are public", async () => {
    const answer = await get(guardOf([PUBLIC]), `http://ocsp.example:${server.port}/`);
    expect(String(answer)).to.equal("outside");
  });

  it("is refused when one of several is private", async () => {
    const { message } = await rejectionOf(
      get(guardOf([PUBLIC, PRIVATE]), `http://ocsp.example:${server.port}/`),
    );
    expect(message).to.include(`${PRIVATE}, which is not a public address`);
  });

  it("is refused when its name has no address", async () => {
    const { message } = await rejectionOf(get(guardOf([]), "http://ocsp.example/"));
    expect(message).to.include("has no address");
  });

  for (const [path, where] of [
    ["/inside", "an address"],
    ["/name", "a name"],
  ]) {
    it(`is refused when a redirect leads to ${where} inside`, async () => {
      const guard = guardOf([PUBLIC], [PRIVATE]);
      const { message } = await rejectionOf(get(guard, `http://ocsp.example:${server.port}${path}`));
      expect(message).to.include("not a public address");
      expect(hidden.connections).to.equal(0);
    });
  }

  it("is used as it was checked, so that a name that changes a moment later gains nothing", async () => {
    const guard = guardOf([PUBLIC], [PRIVATE]);
    const outside = createGuardedFetch(guard);
    opened.push(outside);
    const question = {
      url: new URL(`http://ocsp.example:${server.port}/`),
      body: undefined,
      contentType: undefined,
      accept: "*/*",
      limitOctets: 1_000,
      limitMilliseconds: 5_000,
    };
    expect(String(await outside.fetch(question))).to.equal("outside");
    const elsewhere = { ...question, url: new URL(`http://ocsp.example:${hidden.port}/`) };
    expect((await rejectionOf(outside.fetch(elsewhere))).message).to.include("not a public address");
    expect(hidden.connections).to.equal(0);
  });

  it("is looked up even while lookups of unresponsive names are pending", async () => {
    const silent = new Map<string, () => void>();
    const outside = createGuardedFetch({
      allowsPrivateAddresses: true,
      resolve: async (hostname) => {
        if (hostname === "ocsp.example") return [{ address: PUBLIC, family: 4 }];
        await new Promise<void>((resolve) => silent.set(hostname, resolve));
        throw new Error("nobody answers for it");
      },
    });
    opened.push(outside);
    const ask = (host: string, limitMilliseconds: number) =>
      outside.fetch({
        body: undefined,
        contentType: undefined,
        accept: "*/*",
        limitOctets: 1_000,
        limitMilliseconds,
        url: new URL(`http://${host}:${server.port}/`),
      });
    const askSilent = () =>
      Promise.all(["a.example", "b.example"].map((host) => rejectionOf(ask(host, 100))));
    // Once they hold all turns; then it is known what they are.
    await askSilent();
    for (const resolve of silent.values()) resolve();
    await new Promise((resolve) => setImmediate(resolve));
    await askSilent();
    expect(String(await ask("ocsp.example", 2_000))).to.equal("outside");
  });

  it("is looked up beside unresponsive names once its own name is answered for again", async () => {
    let isBack = false;
    let waiting = 0;
    const outside = createGuardedFetch({
      allowsPrivateAddresses: true,
      resolve: async (hostname) => {
        if (isBack && hostname === "ocsp.example") return [{ address: PUBLIC, family: 4 }];
        if (isBack) await new Promise(() => (waiting += 1));
        throw new Error("nobody answers for it");
      },
    });
    opened.push(outside);
    const question = { body: undefined, contentType: undefined, accept: "*/*", limitOctets: 1_000 };
    const ask = (host: string, { port }: OutsideServer) =>
      outside.fetch({ ...question, url: new URL(`http://${host}:${port}/`), limitMilliseconds: 5_000 });
    await Promise.all(["ocsp.example", "silent.example"].map((host) => rejectionOf(ask(host, server))));
    isBack = true;
    expect(String(await ask("ocsp.example", server))).to.equal("outside");
    void rejectionOf(ask("silent.example", server));
    await eventually(() => waiting === 1);
    // Each connection has its name looked up.
    expect(String(await ask("ocsp.example", hidden))).to.equal("inside");
  });

  it("is looked up beside one other at most", async () => {
    const lookedUp: string[] = [];
    const outside = createGuardedFetch({
      allowsPrivateAddresses: true,
      resolve: (hostname) => {
        lookedUp.push(hostname);
        return new Promise(() => {});
      },
    });
    opened.push(outside);
    const question = { body: undefined, contentType: undefined, accept: "*/*", limitOctets: 1_000 };
    const ask = (name: string) =>
      outside.fetch({ ...question, url: new URL(`http://${name}.example/`), limitMilliseconds: 100 });
    await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => rejectionOf(ask(name))));
    expect(lookedUp).to.have.length(2);
  });

  it("is looked up once for all who wait for it", async () => {
    let lookups = 0;
    const outside = createGuardedFetch({
      allowsPrivateAddresses: true,
      resolve: async () => {
        lookups += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return [{ address: PUBLIC, family: 4 }];
      },
    });
    opened.push(outside);
    const question = { body: undefined, contentType: undefined, accept: "*/*", limitOctets: 1_000 };
    const url = new URL(`http://ocsp.example:${server.port}/`);
    await Promise.all(
      Array.from({ length: 50 }, () => outside.fetch({ ...question, url, limitMilliseconds: 5_000 })),
    );
    expect(lookups).to.equal(1);
  });
});

describe("Revocation source over https", () => {
  let server: Server;

  before(async () => {
    const { certificateFile, keyFile } = (await testCertificates()).server.auth;
    const keyPair = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    server = createServer(keyPair, (_request, response) => void response.end("inside"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [told, within] of [
    ["", (ask: () => Promise<Error>) => ask()],
    [", even when Node.js is told to verify nobody", verifyingNobody<Error>],
  ] as const)
    it(`is not believed under an authority that the machine does not trust${told}`, async () => {
      const outside = createGuardedFetch({ allowsPrivateAddresses: true });
      const question = {
        url: new URL(`https://localhost:${(server.address() as AddressInfo).port}/`),
        body: undefined,
        contentType: undefined,
        accept: "*/*",
        limitOctets: 1_000,
        limitMilliseconds: 5_000,
      };
      const failure = await within(() => rejectionOf(outside.fetch(question)));
      expect(failure.message).to.match(/certificate/);
      await outside.close();
    });
});
