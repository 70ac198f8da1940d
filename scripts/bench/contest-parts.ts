import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseTrustAnchors } from "@cobs/psd2-certificates";
import { trustFiles } from "../../packages/sandbox/src/certificates/test-ca-files.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import type { BenchBank } from "./bench-bank.ts";
import type { BenchProcesses } from "./bench-process.ts";
import type { Load, Loaded } from "./load/load-order.ts";

/** What contests are prepared with. */
export interface ContestParts {
  readonly bank: BenchBank;
  readonly processes: BenchProcesses;
  readonly load: (load: Load) => Promise<Loaded>;
}

/** Writes a file with every authority that certifies callers. */
async function writeAuthorities({ document }: BenchBank): Promise<string> {
  const { anchorsFile } = trustFiles(sandboxLayout(document.directory).certificates);
  const anchors = await readFile(anchorsFile, "utf8");
  const pems = parseTrustAnchors(anchors).anchors.map(({ pem }) => pem);
  const file = join(document.directory, "bench-authorities.pem");
  await writeFile(file, [...pems, await readFile(document.privateCa, "utf8")].join("\n"));
  return file;
}

/** The TLS settings of every baseline. */
export async function baselineTls(bank: BenchBank) {
  const { certificate, key } = bank.document.callback;
  return { certificate, key, authorities: await writeAuthorities(bank) };
}
