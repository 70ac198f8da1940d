import { readFileSync } from "node:fs";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENING = "0A";

/** Addresses at which Linux listens on a TCP port; those of IPv6 are in the form of its table. */
export function addressesListeningOn(port: string): readonly string[] {
  const wanted = Number(port).toString(16).toUpperCase().padStart(4, "0");
  return TABLES.flatMap((table) => readFileSync(table, "latin1").split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(`:${wanted}`))
    .map(([, local = ""]) => local.split(":")[0] ?? "")
    .map((address) => (address.length > 8 ? address : dotted(address)));
}

/** An IPv4 address from the table, which has it in hexadecimal and reversed. */
function dotted(address: string): string {
  return [...Buffer.from(address, "hex")].toReversed().join(".");
}
