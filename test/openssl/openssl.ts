import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What `openssl x509` prints about a certificate. */
export function opensslText(pem: string): string {
  return execFileSync("openssl", ["x509", "-noout", "-text", "-nameopt", "oneline,-esc_msb,utf8"], {
    input: pem,
    encoding: "utf8",
  });
}

/** Runs `openssl verify` on a chain (leaf first) under a root; returns `OK`, or the line with the error. */
export function opensslVerify(chainPem: string, rootPem: string, options: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), "openssl-"));
  try {
    const root = join(directory, "root.pem");
    const chain = join(directory, "chain.pem");
    writeFileSync(root, rootPem);
    writeFileSync(chain, chainPem);
    const { stdout, stderr } = spawnSync(
      "openssl",
      ["verify", "-no-CApath", "-CAfile", root, "-untrusted", chain, ...options, chain],
      { encoding: "utf8" },
    );
    return /error \d+ at .*: (.*)/.exec(stderr)?.[1] ?? stdout.split(": ")[1]?.trim() ?? stderr;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
