import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "chai";
import type { CustomFetch } from "openid-client";
import { fetchAgain } from "../../../packages/sandbox/src/start/fetch-again.ts";

const overHttp: CustomFetch = (url, { method, body }) => fetch(url, { method, body: String(body) });
const ORDER = { method: "POST", headers: {}, body: "order", redirect: "manual" } as const;

describe("Request of the sandbox's start to the services", () => {
  let server: Server;
  let busy: { times: number; headers: Readonly<Record<string, string>> };
  let bodies: string[];
  const said: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      request.on("end", () => {
        bodies.push(body);
        const isBusy = bodies.length <= busy.times;
        response.writeHead(isBusy ? 503 : 201, isBusy ? busy.headers : {}).end();
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  beforeEach(() => {
    [bodies, said.length] = [[], 0];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function ask(limitMilliseconds?: number): Promise<number> {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const patience = {
      say: (line: string) => said.push(line),
      ...(limitMilliseconds && { limitMilliseconds }),
    };
    return (await fetchAgain(overHttp, patience)(`http://127.0.0.1:${port}/`, ORDER)).status;
  }

  it("is repeated, with its body, while they have no time, and that is said once (RFC 9110 section 10.2.3)", async () => {
    busy = { times: 2, headers: { "retry-after": "0" } };
    expect(await ask()).to.equal(201);
    expect(bodies).to.deep.equal(["order", "order", "order"]);
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/^127\.0\.0\.1:\d+ is busy; /);
  });

  it("is given up when they have no time for too long", async () => {
    busy = { times: 99, headers: { "retry-after": "1" } };
    expect(await ask(500)).to.equal(503);
    expect(bodies).to.have.length(1);
  });

  it("fails at once when they do not ask to come again", async () => {
    busy = { times: 99, headers: {} };
    expect(await ask()).to.equal(503);
    expect([bodies.length, said.length]).to.deep.equal([1, 0]);
  });
});
