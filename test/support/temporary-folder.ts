/**
 * Folders that are removed when the process that made them ends, however it ends, `kill -9` included: a tiny shell beside it
 * reads their names from a pipe, and removes what is left of them when the pipe closes.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Servers that write there end with that process too, and may take some seconds for it.
const SCRIPT = `
while IFS= read -r folder; do set -- "$@" "$folder"; done
tries=30
while [ "$tries" -gt 0 ]; do
  left=; for folder in "$@"; do [ ! -e "$folder" ] || left=yes; done
  [ "$left" ] || exit 0
  sleep 1; rm -rf -- "$@"
  tries=$((tries - 1))
done
`;

let pipe: Socket | undefined;

/** Makes a folder in `parent` with this name prefix. A caller may remove it earlier. */
export function makeTemporaryFolder(prefix: string, parent = tmpdir()): string {
  const path = mkdtempSync(join(parent, prefix));
  pipe ??= startRemoving();
  pipe.write(`${path}\n`);
  return path;
}

/** A folder that a test can remove before its process ends. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = makeTemporaryFolder("cobs-");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the shell in a session of its own, which Ctrl-C in the terminal does not reach. */
function startRemoving(): Socket {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh"], {
    cwd: "/",
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  const { stdin } = child;
  if (!(stdin instanceof Socket)) throw new TypeError("a pipe is a socket");
  stdin.on("error", () => undefined);
  stdin.unref();
  return stdin;
}
