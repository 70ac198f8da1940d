import { expect } from "chai";
import { isPublicAddress } from "../../packages/service-edge/src/client/public-address.ts";

/** One address of every kind that is not of the public internet, at both ends where a range is easily cut short. */
const NOT_PUBLIC: readonly (readonly [what: string, ...addresses: string[]])[] = [
  ["unspecified", "0.0.0.0", "0.255.255.255", "::"],
  ["loopback (RFC 1122)", "127.0.0.1", "127.255.255.254", "::1"],
  ["private (RFC 1918)", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.255.255"],
  ["shared with the provider (RFC 6598)", "100.64.0.1", "100.127.255.255"],
  ["link-local", "169.254.169.254", "fe80::1", "febf::1"],
  ["unique local (RFC 4193)", "fc00::1", "fd00:ec2::254"],
  ["site-local, out of use (RFC 3879)", "fec0::1"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1", "192.0.0.192", "4000::1"],
  ["for documentation (RFC 5737, RFC 3849, RFC 9637)", "192.0.2.1", "198.51.100.1", "203.0.113.1"],
  ["for documentation in IPv6", "2001:db8::1", "3fff::1"],
  ["for measuring (RFC 2544, RFC 5180)", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["IPv4-mapped (RFC 4291)", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8"],
  ["IPv4-compatible, out of use", "::127.0.0.1", "::7f00:1"],
  ["IPv4-translated (RFC 2765)", "::ffff:0:7f00:1"],
  ["of a NAT64 (RFC 6052, RFC 8215)", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1"],
  ["of 6to4 (RFC 3056)", "2002:7f00:1::", "2002:a00:1::1", "192.88.99.1"],
  ["of Teredo (RFC 4380)", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["for discarding (RFC 6666)", "100::1"],
  ["of the host of a virtual machine", "168.63.129.16"],
  ["no address", "", "localhost", "1.2.3.4.5", "[::1]"],
];

const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "193.85.1.1",
  "2606:4700::1111",
  "2a00:1450::1",
];

describe("Address of a revocation server", () => {
  for (const [what, ...addresses] of NOT_PUBLIC) {
    it(`is not public when it is ${what}`, () => {
      for (const address of addresses) expect(isPublicAddress(address), address).to.equal(false);
    });
  }

  it("is public when it is assigned on the internet", () => {
    for (const address of PUBLIC) expect(isPublicAddress(address), address).to.equal(true);
  });
});
