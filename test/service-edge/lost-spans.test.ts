import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { openSpans } from "../../packages/service-edge/src/tracing/open-spans.ts";
import { readableLog } from "../support/readable-log.ts";

describe("Spans that a collector refuses", () => {
  it("are logged once with its status but not its text, and do not prevent closing", async () => {
    const server = createServer((_, response) => response.writeHead(401).end("the token abc is not known"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const { log, lines } = readableLog();
    const endpoint = new URL(`http://127.0.0.1:${port}`);
    const settings = { endpoint, headers: undefined, serviceName: "test", ratio: 1 };
    const spans = openSpans({ ...settings, sampler: "always_on" }, log);
    spans.beginCall("GET /", {}, undefined).end(200);
    await spans.close();
    server.close();
    expect(lines.map(({ msg, reason }) => ({ msg, reason }))).to.deep.equal([
      { msg: "the trace collector does not accept spans", reason: "status 401" },
    ]);
  });
});
