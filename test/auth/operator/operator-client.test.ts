import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { listen, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createOperatorClients } from "../../../packages/auth/src/operator/operator-client.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { testCertificates } from "../../support/test-certificates.ts";

describe("The client of the operator's command", () => {
  let server: Server;
  let ask: (path: string, timeoutMilliseconds?: number) => Promise<string>;
  let close: () => Promise<void>;

  before(async () => {
    const { server: servers, bank, privateCaFile } = await testCertificates();
    const { certificateFile, keyFile } = servers.authBank;
    const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    server = createServer(tls, (request, response) => {
      const [, status = "", detail] = /^\/(\d{3})(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
      response.writeHead(Number(status || 200));
      if (status !== "") response.end(detail && JSON.stringify({ title: "Told", detail }));
      else setInterval(() => response.write("{"), 50).unref();
    });
    const listener = await listen(server, { name: "auth", host: "127.0.0.1", port: 0 });
    close = () => listener.close(0);
    const { auth } = createOperatorClients({
      authUrl: new URL(`https://localhost:${listener.port}`),
      resourceUrl: undefined,
      identity: {
        certificate: readFileSync(bank.operator.certificateFile, "utf8"),
        key: new Secret(readFileSync(bank.operator.keyFile, "utf8")),
      },
      authority: readFileSync(privateCaFile, "utf8"),
    });
    ask = (path, timeoutMilliseconds = 30_000) => auth({ method: "GET", path, timeoutMilliseconds });
  });
  after(() => close());

  for (const status of [502, 503, 504])
    it(`reports an answer with ${status} as unreachable, so the order may be given again`, async () => {
      expect(await rejectionOf(ask(`/${status}/database`))).to.include({
        code: "unreachable",
        message: `auth cannot answer now (${status}): Told: database`,
      });
    });

  it("gives up on an answer that is not complete in time, even while it is still coming", async () => {
    const { message } = await rejectionOf(ask("/slowly", 400));
    expect(message).to.match(/ cannot be reached: no answer within 0\.4 s$/);
  });

  for (const [status, code] of [
    [400, "refused"],
    [403, "refused"],
    [404, "not_found"],
    [500, "refused"],
  ] as const)
    it(`reports an answer with ${status} as ${code}`, async () => {
      expect(await rejectionOf(ask(`/${status}`))).to.include({
        code,
        message: `auth refused (${status}): no reason given`,
      });
    });
});
