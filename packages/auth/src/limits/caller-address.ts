import { isIP, isIPv4 } from "node:net";
import type { ConfigurationReader, IncomingCall } from "@cobs/service-edge";

/**
 * Where the address of a PSU's browser comes from: the connection; for those of named proxies the header that they write;
 * or nowhere, when a proxy that is not named stands before everything.
 */
export type BrowserAddresses =
  | { readonly kind: "of-connections"; readonly proxies: ReadonlySet<string> }
  | { readonly kind: "unknown" };

/** The name under which the calls of a browser are counted; undefined when nobody knows from where it calls. */
export type ReadAddress = (call: IncomingCall) => string | undefined;

/**
 * Reads whose header is believed. When TPPs come through a proxy, browsers will too: without named ones nobody knows where
 * these call from, and to count all of them as one would lock them out together.
 */
export function readBrowserAddresses(read: ConfigurationReader): BrowserAddresses {
  const names = (read.optionalText("BROWSER_PROXIES") ?? "").split(",").map((name) => name.trim());
  const proxies = new Set(names.filter((name) => name !== ""));
  for (const proxy of proxies)
    if (isIP(proxy) === 0) read.fault(`${proxy} in BROWSER_PROXIES is no IP address`);
  const isDirect = read.text("CLIENT_CERTIFICATE_SOURCE") === "tls";
  if (proxies.size === 0 && !isDirect) return { kind: "unknown" };
  return { kind: "of-connections", proxies: new Set([...proxies].map(groupsOf).map(joinGroups)) };
}

/**
 * Makes the reader. Of `X-Forwarded-For` only the last address counts, which the proxy itself has written: what stands
 * before it anybody may have sent. From everybody else the header is ignored. A proxy that writes no address is counted
 * itself: otherwise whoever leaves the header out would be without a limit.
 */
export function createAddressReader(addresses: BrowserAddresses): ReadAddress {
  if (addresses.kind === "unknown") return () => undefined;
  return (call) => {
    const peer = networkOf(call.remoteAddress);
    // A proxy is one address: whoever is beside it in its network is somebody else.
    if (!addresses.proxies.has(joinGroups(groupsOf(call.remoteAddress)))) return peer;
    const last = call.exchange.request.headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim() ?? "";
    return isIP(last) === 0 ? peer : networkOf(last);
  };
}

const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;
const MAPPED = "0:0:0:0:0:ffff";
const OCTETS = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** An IPv4 address, or the 64 bits of an IPv6 address that one household or company has. */
function networkOf(address: string): string {
  return joinGroups(groupsOf(address).slice(0, NETWORK_GROUPS));
}

function joinGroups(groups: readonly string[]): string {
  return groups.join(":");
}

/** The eight groups of an IPv6 address in one spelling; of an IPv4 address, mapped or not, itself alone. */
function groupsOf(address: string): readonly string[] {
  if (isIPv4(address)) return [address];
  const plain = address.toLowerCase().split("%", 1).join("").replace(OCTETS, writeAsGroups);
  const [head = "", tail = ""] = plain.split("::", 2);
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const [before, after] = [groups(head), groups(tail)];
  const gap = Array.from({ length: Math.max(0, ALL_GROUPS - before.length - after.length) }, () => "0");
  const whole = [...before, ...gap, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
  return joinGroups(whole.slice(0, -2)) === MAPPED ? [writeAsOctets(whole.slice(-2))] : whole;
}

/** The last 32 bits, of which an IPv6 address may write octets. */
function writeAsGroups(_octets: string, ...[a, b, c, d]: readonly unknown[]): string {
  const group = (high: unknown, low: unknown) => (Number(high) * 256 + Number(low)).toString(16);
  return `${group(a, b)}:${group(c, d)}`;
}

function writeAsOctets(groups: readonly string[]): string {
  const bits = groups.map((group) => Number.parseInt(group, 16));
  return bits.flatMap((each) => [each >> 8, each & 255]).join(".");
}
