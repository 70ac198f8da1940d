import ipaddr from "ipaddr.js";

/** Addresses assigned for global use (RFC 4291 section 2.4); deprecated kinds lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** An address that looks public but is the host side of a virtual machine in Azure. */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is on the public internet. Addresses of this machine, of a private or shared network, multicast,
 * reserved or for documentation are not (RFC 6890). Nor are IPv6 addresses that carry an IPv4 address, which translators and
 * tunnels would deliver elsewhere (RFC 6052, RFC 3056, RFC 4380), nor a text that is not an IP address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast" || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST);
}
