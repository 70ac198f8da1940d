import { isIP } from "node:net";
import type { ConfigurationReader, IncomingCall } from "@cobs/service-edge";
import ipaddr from "ipaddr.js";

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
  const proxies = names.filter((name) => name !== "");
  const faulty = proxies.filter((proxy) => isIP(proxy) === 0);
  for (const proxy of faulty) read.fault(`${proxy} in BROWSER_PROXIES is no IP address`);
  const isDirect = read.text("CLIENT_CERTIFICATE_SOURCE") === "tls";
  if (proxies.length === 0 && !isDirect) return { kind: "unknown" };
  const addresses = proxies.filter((proxy) => !faulty.includes(proxy));
  return { kind: "of-connections", proxies: new Set(addresses.map(oneSpelling)) };
}

/**
 * Makes the reader. Of `X-Forwarded-For` only the last address counts, which the proxy itself has written: what stands
 * before it anybody may have sent. From everybody else the header is ignored. A proxy that writes no address is counted
 * itself: otherwise whoever leaves the header out would be without a limit.
 */
export function createAddressReader(addresses: BrowserAddresses): ReadAddress {
  if (addresses.kind === "unknown") return () => undefined;
  return (call) => {
    if (isIP(call.remoteAddress) === 0) return CONNECTION_GONE;
    const peer = networkOf(call.remoteAddress);
    // A proxy is one address: whoever is beside it in its network is somebody else.
    if (!addresses.proxies.has(oneSpelling(call.remoteAddress))) return peer;
    const last = call.exchange.request.headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim() ?? "";
    const address = withoutPort(last);
    return isIP(address) === 0 ? peer : networkOf(address);
  };
}

/** An address as some proxies write it: with the port of the connection, one of IPv6 in brackets. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d{1,5}|\[(?<v6>[\da-f:.]+)\](?::\d{1,5})?)$/i;

function withoutPort(text: string): string {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  return v4 ?? v6 ?? text;
}

const NETWORK_GROUPS = 4;
/** Whoever ends a connection before its request is read has no address any more; they are counted together, not for free. */
const CONNECTION_GONE = "gone";

/** An IPv4 address, or the 64 bits of an IPv6 address that one household or company has. */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}

/** An address in its one spelling. */
function oneSpelling(address: string): string {
  return parseAddress(address).toNormalizedString();
}

/** Without the name of an interface; an IPv4 address that a listener for both has written as an IPv6 one is itself. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const [plain = ""] = address.split("%", 1);
  return ipaddr.process(plain);
}
