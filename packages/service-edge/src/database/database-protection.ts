import { parse } from "pg-connection-string";
import type { Secret } from "../configuration/secret.ts";
import { isThisMachine } from "../configuration/this-machine.ts";
import { parseDatabasePlace } from "./database-place.ts";

/** What a URL asks of the connections to a database; `local` for one that leaves no machine. */
export type DatabaseProtection = "local" | "none" | "unverified" | "verified";

/** Finds the least protection that a valid URL asks for, of all its hosts. */
export function findDatabaseProtection(url: Secret): DatabaseProtection {
  const found = parseDatabasePlace(url.reveal()).hosts.map((host) => protectionOf(host.reveal()));
  return (["none", "unverified", "verified"] as const).find((each) => found.includes(each)) ?? "local";
}

function protectionOf(url: string): DatabaseProtection {
  const { host, ssl } = parse(url);
  // The driver's default, without a host, is a socket or this machine; a path is a socket.
  if (!host || host.startsWith("/") || isThisMachine(host)) return "local";
  const asked: unknown = ssl;
  // The driver takes an empty value for none, too.
  if (!asked) return "none";
  return asked === "no-verify" || leavesUnchecked(asked) ? "unverified" : "verified";
}

/** Whether the certificate, or the name in it, is not checked, as for some values of `sslmode`. */
function leavesUnchecked(asked: unknown): boolean {
  if (typeof asked !== "object" || asked === null) return false;
  return (
    ("rejectUnauthorized" in asked && asked.rejectUnauthorized === false) || "checkServerIdentity" in asked
  );
}
