import { isIP } from "node:net";
import type { ConfigurationReader, IncomingCall } from "@cobs/service-edge";
import ipaddr from "ipaddr.js";

/**
 * Source of the address of a PSU's browser: the connection; for named proxies the header that they write; or none, when an
 * unnamed proxy stands in front.
 */
export type BrowserAddresses =
  | { readonly kind: "of-connections"; readonly proxies: ReadonlySet<string> }
  | { readonly kind: "unknown" };

/** Reads the name under which a browser's requests are counted; undefined when its address is unknown. */
export type ReadAddress = (call: IncomingCall) => string | undefined;

/**
 * Reads which proxies' header is believed. When TPPs come through a proxy, browsers do too: unless proxies are named, the
 * browsers' addresses are unknown, and counting them all as one would lock them out together.
 */
export function readBrowserAddresses(read: ConfigurationReader): BrowserAddresses {
  const names = (read.optionalText("BROWSER_PROXIES") ?? "").split(",").map((name) => name.trim());
  const proxies = names.filter((name) => name !== "");
  const faulty = proxies.filter((proxy) => isIP(proxy) === 0);
  for (const proxy of faulty) read.fault(`${proxy} in BROWSER_PROXIES is not an IP address`);
  const isDirect = read.text("CLIENT_CERTIFICATE_SOURCE") === "tls";
  if (proxies.length === 0 && !isDirect) return { kind: "unknown" };
  const addresses = proxies.filter((proxy) => !faulty.includes(proxy));
  return { kind: "of-connections", proxies: new Set(addresses.map(oneSpelling)) };
}

/**
 * Creates the reader of addresses. Of `X-Forwarded-For` only the last address counts, which the proxy itself wrote; anybody may
 * have sent those before it. From other peers the header is ignored. A proxy that writes no address is counted itself: otherwise
 * omitting the header would avoid the limit.
 */
export function createAddressReader(addresses: BrowserAddresses): ReadAddress {
  if (addresses.kind === "unknown") return () => undefined;
  return (call) => {
    if (isIP(call.remoteAddress) === 0) return CONNECTION_GONE;
    const peer = networkOf(call.remoteAddress);
    // A proxy is a single address: its neighbours in the same network are somebody else.
    if (!addresses.proxies.has(oneSpelling(call.remoteAddress))) return peer;
    const last = call.exchange.request.headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim() ?? "";
    const address = withoutPort(last);
    return isIP(address) === 0 ? peer : networkOf(address);
  };
}

/** An address as some proxies write it: with the port of the connection, IPv6 in brackets. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d{1,5}|\[(?<v6>[\da-f:.]+)\](?::\d{1,5})?)$/i;

function withoutPort(text: string): string {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  return v4 ?? v6 ?? text;
}

const NETWORK_GROUPS = 4;
/** A connection that ended before its request was read has no address; such requests are counted together, not for free. */
const CONNECTION_GONE = "gone";

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address, which one household or company has. */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}

/** Normalises the spelling of an address. */
function oneSpelling(address: string): string {
  return parseAddress(address).toNormalizedString();
}

/** Parses an address without its interface name; an IPv4 address that a dual-stack listener wrote as IPv6 becomes IPv4. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const [plain = ""] = address.split("%", 1);
  return ipaddr.process(plain);
}
