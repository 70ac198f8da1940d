/** `full` keeps every acknowledged commit through a power cut; `none` is for throwaway data in tests. */
export type Durability = "full" | "none";

/** The settings of a server, as arguments: loopback only, no unix sockets, no statement text in the log. */
export function serverArguments(data: string, port: number, durability: Durability): readonly string[] {
  const settings = { ...SETTINGS, port: String(port), ...(durability === "none" ? WITHOUT_DURABILITY : {}) };
  return ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  jit: "off",
  // Dead rows free their space after this long at the latest; each table sets how many make a vacuum worthwhile.
  autovacuum_naptime: "10s",
  logging_collector: "off",
  // Statements and rows of a failed statement may hold secrets and personal data.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

// Tests make hundreds of short-lived databases: visiting them in turn costs more than vacuuming saves. Services do not set
// `synchronous_commit = off` on these either: it would save nothing more.
const WITHOUT_DURABILITY = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
};
