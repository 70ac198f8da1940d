import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Whether a host in a URL, also an IPv6 address in brackets, is the machine itself by its usual name or a loopback address. */
export function isThisMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return (
    bare.toLowerCase() === "localhost" || (isIP(bare) > 0 && ipaddr.process(bare).range() === "loopback")
  );
}
