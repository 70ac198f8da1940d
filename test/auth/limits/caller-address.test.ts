import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { IncomingCall } from "@cobs/service-edge";
import { expect } from "chai";
import {
  type BrowserAddresses,
  createAddressReader,
} from "../../../packages/auth/src/limits/caller-address.ts";

function callFrom(remoteAddress: string, forwarded?: string): IncomingCall {
  const request = new IncomingMessage(new Socket());
  if (forwarded !== undefined) request.headers["x-forwarded-for"] = forwarded;
  return {
    requestId: "request-1",
    callerRequestId: undefined,
    note: () => undefined,
    method: "GET",
    path: "/",
    parameters: {},
    query: new URLSearchParams(),
    header: () => undefined,
    body: undefined,
    readJson: async () => undefined,
    presentedCertificate: undefined,
    traceContext: undefined,
    remoteAddress,
    exchange: { request, response: new ServerResponse(request) },
  };
}

const direct: BrowserAddresses = { kind: "of-connections", proxies: new Set() };
const behind: BrowserAddresses = {
  kind: "of-connections",
  proxies: new Set(["10.0.0.1", "2001:db8:0:9:0:0:0:1"]),
};
const read = (addresses: BrowserAddresses, from: string, forwarded?: string) =>
  createAddressReader(addresses)(callFrom(from, forwarded));

describe("The address that calls of a browser are counted for", () => {
  const rows: readonly (readonly [about: string, address: string, counted: string])[] = [
    ["an IPv4 address", "192.0.2.1", "192.0.2.1"],
    ["an IPv4 address on a listener for both", "::ffff:192.0.2.1", "192.0.2.1"],
    ["an IPv4 address in hexadecimal", "::FFFF:c000:0201", "192.0.2.1"],
    ["an IPv4 address within a whole IPv6 address", "0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
    ["an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["a shortened IPv6 address", "2001:db8::3", "2001:db8:0:0"],
    ["an IPv6 address with leading zeros and capitals", "2001:0DB8:0001:0002::1", "2001:db8:1:2"],
    ["an IPv6 address with the name of an interface", "fe80::1%eth0", "fe80:0:0:0"],
    ["loopback", "::1", "0:0:0:0"],
  ];
  for (const [about, address, counted] of rows)
    it(`is ${counted} for ${about}`, () => expect(read(direct, address)).to.equal(counted));

  it("is that of the connection when this is no proxy's, whatever a header says (RL-05)", () => {
    expect(read(direct, "192.0.2.1", "192.0.2.7")).to.equal("192.0.2.1");
    expect(read(behind, "192.0.2.1", "192.0.2.7")).to.equal("192.0.2.1");
  });

  it("is the last one that a configured proxy wrote", () => {
    expect(read(behind, "::ffff:10.0.0.1", "evil, 192.0.2.6, 192.0.2.7")).to.equal("192.0.2.7");
    expect(read(behind, "2001:db8:0:9::1", "2001:db8:7:7::1")).to.equal("2001:db8:7:7");
    expect(read(behind, "2001:db8:0:9::0.0.0.1", "::ffff:c000:207")).to.equal("192.0.2.7");
  });

  it("is read without a port, and without the brackets of IPv6", () => {
    expect(read(behind, "10.0.0.1", "192.0.2.6:1, 192.0.2.7:50443")).to.equal("192.0.2.7");
    for (const written of ["[2001:db8:7:7::1]:50443", "[2001:DB8:7:7::1]"])
      expect(read(behind, "10.0.0.1", written)).to.equal("2001:db8:7:7");
  });

  it("is that of the connection when it comes from the proxy's network but not its address (RL-05)", () => {
    expect(read(behind, "2001:db8:0:9::2", "2001:db8:7:7::1")).to.equal("2001:db8:0:9");
    expect(read(behind, "2001:0DB8:0:9::0001", "2001:db8:7:7::1")).to.equal("2001:db8:7:7");
  });

  it("is the proxy's own when it wrote none, so that omission escapes no limit (RL-05)", () => {
    expect(read(behind, "10.0.0.1")).to.equal("10.0.0.1");
    expect(read(behind, "2001:db8:0:9::1")).to.equal("2001:db8:0:9");
    for (const none of [
      "",
      " ",
      ",",
      "192.0.2.7,",
      "192.0.2.7, unknown",
      "192.0.2.7:https",
      "192.0.2.7:443:1",
      "192.0.2.777:443",
      "2001:db8::1]",
      "[192.0.2.7",
      "192.0.2.7 192.0.2.8",
    ])
      expect(read(behind, "::ffff:10.0.0.1", none), none).to.equal("10.0.0.1");
  });

  it("is the same for all closed connections, so that hanging up escapes no limit", () => {
    expect(read(direct, "")).to.equal("gone");
    expect(read(behind, "", "192.0.2.7")).to.equal("gone");
  });

  it("is none behind a proxy that is not configured, since all browsers would count as one", () => {
    expect(read({ kind: "unknown" }, "10.0.0.1", "192.0.2.7")).to.equal(undefined);
  });
});
