import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { EdgeRefusal } from "@cobs/service-edge";
import { expect } from "chai";
import { readForm } from "../../../packages/auth/src/http/read-form.ts";
import { heldPerOctet } from "../../support/held-per-octet.ts";
import { rejectionOf } from "../../support/rejection.ts";

const MANY_OCTETS = 12_000;

/** A request whose form has come. */
function requestOf(headers: Readonly<Record<string, string>>, body: Buffer): IncomingMessage {
  const sent = { "content-type": "application/x-www-form-urlencoded", ...headers };
  const read = { headers: sent, rawHeaders: Object.entries(sent).flat() };
  return Object.assign(Readable.from([body]), read) as unknown as IncomingMessage;
}

describe("The form body of a request to the OAuth provider", () => {
  it("is refused when compressed, with that as the reason (RFC 9110 15.5.16)", async () => {
    const refusal = await rejectionOf(
      readForm(requestOf({ "content-encoding": "gzip" }, gzipSync("grant_type=refresh_token"))),
    );
    expect(refusal).to.be.instanceOf(EdgeRefusal);
    expect(refusal).to.include({
      code: "media_type_unsupported",
      path: "Content-Encoding",
      message: "the body must not be compressed",
    });
  });

  it("is refused in a charset other than UTF-8, with that as the reason (RFC 9110 15.5.16)", async () => {
    const type = "application/x-www-form-urlencoded; charset=iso-8859-2";
    const refusal = await rejectionOf(readForm(requestOf({ "content-type": type }, Buffer.from("a=1"))));
    expect(refusal).to.be.instanceOf(EdgeRefusal);
    expect(refusal).to.include({
      path: "Content-Type",
      message: "the body must be application/x-www-form-urlencoded in UTF-8",
    });
  });

  it("is refused in a transfer coding other than chunked (RFC 9112 6.1)", async () => {
    const coding = { "transfer-encoding": "gzip, chunked" };
    const refusal = await rejectionOf(readForm(requestOf(coding, Buffer.from("a=1"))));
    expect(refusal).to.include({ code: "media_type_unsupported", path: "Transfer-Encoding" });
    expect([
      ...(await readForm(requestOf({ "transfer-encoding": "Chunked" }, Buffer.from("a=1")))),
    ]).to.have.length(1);
  });

  it("is read with the content coding identity", async () => {
    const form = await readForm(requestOf({ "content-encoding": "Identity" }, Buffer.from("a=1")));
    expect([...form]).to.deep.equal([["a", "1"]]);
  });

  it("takes less than ten octets of memory for each octet that arrives by itself (RS-16)", async () => {
    const head =
      "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    const held = await heldPerOctet(
      (request) => void readForm(request).catch(() => undefined),
      head,
      Buffer.alloc(MANY_OCTETS, "a"),
    );
    expect(held).to.be.lessThan(10);
  });
});
