import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createPlainServer, type Server as PlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { issueCertificate } from "../../../packages/sandbox/src/certificates/issue-certificate.ts";
import { subjectOids } from "../../../packages/sandbox/src/certificates/subject-attribute.ts";
import { daysAround } from "../../../packages/sandbox/src/certificates/validity.ts";
import { explainError } from "../../../packages/sandbox/src/tpp/explain-error.ts";
import { openTppFetch } from "../../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { testCertificates } from "../../support/test-certificates.ts";

const SLOW_MILLISECONDS = 3_000;
/** Enough for a busy machine to connect, which is limited too. */
const LIMIT_MILLISECONDS = 3_000;
const NEVER_ANSWERED = "/never";
const GET = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;

describe("TPP call to a server that takes its time", () => {
  let server: Server;
  let url: string;
  let ca: string;
  before(async () => {
    const { server: servers, privateCaFile } = await testCertificates();
    const { certificateFile, keyFile } = servers.authBank;
    const keyPair = { cert: await readFile(certificateFile), key: await readFile(keyFile) };
    server = createServer(keyPair, async (request, response) => {
      if (request.url === NEVER_ANSWERED) return;
      await delay(SLOW_MILLISECONDS);
      response.end("late");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `https://localhost:${typeof address === "object" ? address?.port : ""}`;
    ca = privateCaFile;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  async function askWithin(limitMilliseconds: number, { path = "/", authority = ca } = {}): Promise<string> {
    const tpp = await openTppFetch(authority, undefined, limitMilliseconds);
    try {
      return await (await tpp.fetch(`${url}${path}`, GET)).text();
    } finally {
      await tpp.close();
    }
  }

  it("waits as long as it was told to", async () => {
    expect(await askWithin(20_000)).to.equal("late");
  });

  it("reports that there was no answer", async () => {
    const explained = await explainError(
      await rejectionOf(askWithin(LIMIT_MILLISECONDS, { path: NEVER_ANSWERED })),
    );
    expect(String(explained)).to.match(/the server does not answer \(UND_ERR_HEADERS_TIMEOUT\)/);
  });

  it("reports that the certificate is not the sandbox's", async () => {
    const { caFile: authority } = await testCertificates();
    const explained = await explainError(await rejectionOf(askWithin(20_000, { authority })));
    expect(explained).to.include({ code: "no_sandbox" });
    expect(String(explained)).to.match(/the server is not this sandbox \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/);
  });
});

describe("TPP call to another program at the sandbox's port", () => {
  const servers: (Server | PlainServer)[] = [];
  after(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function explainedAt(server: Server | PlainServer): Promise<unknown> {
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = Object(server.address());
    const tpp = await openTppFetch((await testCertificates()).caFile);
    try {
      return await explainError(await rejectionOf(tpp.fetch(`https://localhost:${port}/`, GET)));
    } finally {
      await tpp.close();
    }
  }

  it("reports one with a self-signed certificate", async () => {
    const { certificatePem: cert, privateKeyPem: key } = await issueCertificate(undefined, {
      subject: [{ oid: subjectOids.commonName, value: "localhost" }],
      validity: daysAround(new Date(), { fromDays: -1, untilDays: 1 }),
      extensions: [],
    });
    const server = createServer({ cert, key });
    const explained = await explainedAt(server);
    expect(explained).to.include({ code: "no_sandbox" });
    expect(String(explained)).to.match(/the server is not this sandbox \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  });

  it("reports one that does not speak TLS", async () => {
    const explained = await explainedAt(createPlainServer());
    expect(explained).to.include({ code: "no_sandbox" });
    expect(String(explained)).to.match(/the server is not this sandbox \(ERR_SSL_WRONG_VERSION_NUMBER\)/);
  });
});
