import ipaddr from "ipaddr.js";

/** What is assigned for use all over the world (RFC 4291 section 2.4); kinds that are out of use lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Looks public and is the host's own side of a virtual machine in Azure. */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is one of the public internet: not of this machine, of a private or shared network, for many at
 * once, reserved, or for documentation (RFC 6890), and no IPv6 spelling that carries an IPv4 address, which translators
 * and tunnels would deliver somewhere else (RFC 6052, RFC 3056, RFC 4380). What is no address at all is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast" || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST);
}
