import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Debian's Python, whose packages provide Authlib: python3-authlib and python3-requests. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = join(import.meta.dirname, "tpp.py");

/** All addresses, and how the TPP authenticates. */
export interface AuthlibOrder {
  readonly issuer: string;
  /** URL for registrations. */
  readonly applications: string;
  /** URL of the account list. */
  readonly accounts: string;
  readonly redirectUri: string;
  /** Paths of PEM files. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly method: "client_secret_post" | "client_secret_basic" | "private_key_jwt" | "tls_client_auth";
  readonly pkce: boolean;
  readonly pushed: boolean;
}

/** Runs the TPP on Authlib and returns what it observed. The PSU opens the URL and returns the one that they came back to. */
export async function runAuthlib(
  order: AuthlibOrder,
  authorize: (address: URL) => Promise<URL>,
): Promise<Readonly<Record<string, unknown>>> {
  // Isolated from the caller's proxies and Python paths.
  const child = spawn(PYTHON, ["-I", SCRIPT], { env: { PATH: "/usr/bin:/bin" }, stdio: "pipe" });
  const closed = once(child, "close");
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  try {
    child.stdin.on("error", () => undefined).write(`${JSON.stringify(order)}\n`);
    let seen: Record<string, unknown> = {};
    for await (const line of createInterface(child.stdout)) {
      seen = JSON.parse(line);
      if (typeof seen.authorize === "string")
        child.stdin.write(`${await authorize(new URL(seen.authorize))}\n`);
    }
    await closed;
    if (child.exitCode !== 0)
      throw new Error(`the TPP on Authlib ended with ${child.exitCode}:\n${complaint}`);
    return seen;
  } finally {
    child.kill("SIGKILL");
  }
}
