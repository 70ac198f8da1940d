import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { createPrivateClient, type PrivateClient, PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import { identityOf } from "../support/identity-of.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { verifyingNobody } from "../support/verifying-nobody.ts";

/** Thirty handshakes have just begun in this process, for callers who have given up meanwhile. */
const LIMIT_OCTETS = 100;

describe("Client of the bank's other service", () => {
  let server: Server;
  let client: PrivateClient;
  let open: (authority?: string, limitOctets?: number) => PrivateClient;
  const asked: string[] = [];

  before(async () => {
    const { server: servers, bank, privateCaFile } = await testCertificates();
    const { certificateFile, keyFile } = servers.authBank;
    const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    // Takes every request, and answers only those that ask for it.
    server = createServer({ ...tls, keepAliveTimeout: 65_000 }, (request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/long") response.end("x".repeat(LIMIT_OCTETS + 1));
      if (request.url === "/answered") response.end("here");
      if (request.url === "/broken") request.socket.destroy();
      if (request.url === "/half") response.write("he", () => request.socket.destroy());
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const identity = identityOf(bank.resource);
    open = (authority = readFileSync(privateCaFile, "utf8"), limitOctets) =>
      createPrivateClient({
        ...(limitOctets && { limitOctets }),
        service: "the other",
        base: new URL(`https://localhost:${port}`),
        authority,
        identity,
      });
    client = open();
  });
  afterEach(() => {
    asked.length = 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const askedFor = (path: string) => asked.filter((url) => url === path).length;
  const form = new URLSearchParams();

  it("tries once more, on a new connection, when a kept one is gone, but no third time", async () => {
    await client.get("/answered");
    for (const path of ["/broken", "/half"]) {
      expect(await rejectionOf(client.get(path))).to.be.instanceOf(PrivateServiceUnavailable);
      expect(askedFor(path)).to.equal(2);
      asked.length = 0;
      await rejectionOf(client.delete(path));
      await rejectionOf(client.postForm(path, form, {}, { repeatable: true }));
      await rejectionOf(client.postJson(path, {}, {}, { repeatable: true }));
      expect(askedFor(path)).to.equal(6);
      asked.length = 0;
    }
  });

  it("accepts no answer longer than its limit", async () => {
    const careful = open(undefined, LIMIT_OCTETS);
    expect(await rejectionOf(careful.get("/long"))).to.be.instanceOf(PrivateServiceUnavailable);
    expect(askedFor("/long"), "what was answered is not asked again").to.equal(1);
    await careful.close();
    expect((await client.get("/long")).body).to.have.length(LIMIT_OCTETS + 1);
  });

  it("gives a call up as soon as nobody waits for its answer", async () => {
    const waiting = new AbortController();
    const failure = rejectionOf(client.get("/stalled", {}, waiting.signal));
    await eventually(() => askedFor("/stalled") === 1);
    const waited = startWaiting();
    waiting.abort();
    expect(await failure).to.be.instanceOf(PrivateServiceUnavailable);
    expect(waited()).to.be.below(1_000);
  });

  it("keeps nothing of calls that have ended, which somebody could have given up", async () => {
    const answers: WeakRef<object>[] = [];
    for (let call = 0; call < 50; call += 1)
      answers.push(new WeakRef(await client.get("/answered", {}, new AbortController().signal)));
    await eventually(() => {
      heapAfterCollection();
      // The connection may hold the last ones.
      return answers.filter((answer) => answer.deref() !== undefined).length < 5;
    });
  });

  it("asks nothing when nobody waits for an answer any more", async () => {
    const failure = await rejectionOf(client.get("/answered", {}, AbortSignal.abort()));
    expect(failure).to.be.instanceOf(PrivateServiceUnavailable);
    expect(askedFor("/answered")).to.equal(0);
  });

  it("closes an idle connection before the other side would, as a lost host closes none", async () => {
    const connected = once(server, "secureConnection");
    const another = open();
    await another.get("/answered");
    const [connection] = await connected;
    await once(connection, "end");
    expect((await another.get("/answered")).body).to.equal("here");
    await another.close();
  });

  it("posts only once what must not be posted twice", async () => {
    for (const post of [client.postForm("/broken", form), client.postJson("/broken", {})])
      expect(await rejectionOf(post)).to.be.instanceOf(PrivateServiceUnavailable);
    expect(askedFor("/broken")).to.equal(2);
  });

  it("gives the log the reason for no answer, such as a certificate or a broken connection", async () => {
    const { log, lines } = readableLog();
    const { server: servers } = await testCertificates();
    const distrusting = open(readFileSync(servers.auth.certificateFile, "utf8"));
    for (const asking of [distrusting.get("/answered"), client.postForm("/broken", form)])
      log.warn({ error: await rejectionOf(asking) }, "it is told");
    await distrusting.close();
    const reasons = lines.map(({ error }) => error);
    expect(reasons[0]).to.include({ message: "the other does not answer" });
    expect(reasons[0])
      .to.have.property("reason")
      .that.matches(/certificate/);
    expect(reasons[1]).to.include({ reason: "other side closed" });
  });

  it("asks nobody under another authority, even when Node.js is told to verify nobody", async () => {
    const { server: servers } = await testCertificates();
    const distrusting = open(readFileSync(servers.auth.certificateFile, "utf8"));
    await verifyingNobody(async () => {
      const error = await rejectionOf(distrusting.get("/answered"));
      expect(error).to.be.instanceOf(PrivateServiceUnavailable);
    });
    await distrusting.close();
    expect(askedFor("/answered")).to.equal(0);
  });

  it("lets no call wait for others when the other side stalls, and recovers", async () => {
    const waited = startWaiting();
    const failures = await Promise.all(
      Array.from({ length: 100 }, (_none, at) => rejectionOf(client.get(`/stalled/${at}`))),
    );
    expect(waited()).to.be.below(4_000);
    for (const failure of failures) expect(failure).to.be.instanceOf(PrivateServiceUnavailable);
    const answered = async () => (await client.get("/answered").catch(() => undefined))?.body === "here";
    await eventually(answered);
    expect(asked, "a question that nobody waits for is not asked").to.have.length.below(100);
  });
});
