import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { explainError } from "../../../packages/sandbox/src/tpp/explain-error.ts";
import { openTppFetch } from "../../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { testCertificates } from "../../support/test-certificates.ts";

const SLOW_MILLISECONDS = 3_000;
const GET = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;

describe("a TPP's side of a server that takes its time", () => {
  let server: Server;
  let url: string;
  let ca: string;
  before(async () => {
    const { server: servers, privateCaFile } = await testCertificates();
    const { certificateFile, keyFile } = servers.authBank;
    const keyPair = { cert: await readFile(certificateFile), key: await readFile(keyFile) };
    server = createServer(keyPair, async (_request, response) => {
      await delay(SLOW_MILLISECONDS);
      response.end("late");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `https://localhost:${typeof address === "object" ? address?.port : ""}/`;
    ca = privateCaFile;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  async function askWithin(limitMilliseconds: number, authority = ca): Promise<string> {
    const tpp = await openTppFetch(authority, undefined, limitMilliseconds);
    try {
      return await (await tpp.fetch(url, GET)).text();
    } finally {
      await tpp.close();
    }
  }

  it("waits as long as it is told", async () => {
    expect(await askWithin(20_000)).to.equal("late");
  });

  it("says that there was no answer", async () => {
    const explained = await explainError(await rejectionOf(askWithin(500)));
    expect(String(explained)).to.match(/the server does not answer \(UND_ERR_HEADERS_TIMEOUT\)/);
  });

  it("says that its certificate is not that of the sandbox", async () => {
    const { caFile } = await testCertificates();
    const explained = await explainError(await rejectionOf(askWithin(20_000, caFile)));
    expect(explained).to.include({ code: "no_sandbox" });
    expect(String(explained)).to.match(/the server is not this sandbox \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/);
  });
});
