import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { findSpan } from "@cobs/cobs-model";
import {
  CertificateFileError,
  type CertificateReport,
  inspectCertificate,
  parseTrustAnchors,
  presentReport,
  readCertificateFile,
  TrustAnchorFileError,
  type TrustAnchors,
} from "@cobs/psd2-certificates";
import { trustFiles } from "../../certificates/test-ca-files.ts";
import { askRevocation } from "../ask-revocation.ts";
import { CertsRefusal } from "../certs-refusal.ts";
import type { CommandContext, CommandResult } from "../command.ts";

/** The files, the anchors, the time to check for, and whether to check revocation. */
export interface InspectOptions {
  readonly files: readonly string[];
  readonly anchors?: string;
  readonly at?: string;
  readonly ask?: boolean;
}

/** `inspect`: shows every check of each certificate with its clause, what was found, and what would have to change. */
export async function inspect(context: CommandContext, options: InspectOptions): Promise<CommandResult> {
  const anchorsFile = resolve(options.anchors ?? trustFiles(context.sandboxCertificates).anchorsFile);
  const anchors = await readAnchors(anchorsFile);
  const now = options.at === undefined ? context.now() : requireTime(options.at);
  const reports = [];
  for (const file of options.files)
    reports.push({ file, report: await inspectFile(file, { anchors, now, ask: options.ask ?? false }) });
  return {
    json: { anchors: anchorsFile, reports: reports.map(({ file, report }) => ({ file, ...report })) },
    text: reports.map(({ file, report }) => `${file}\n${presentReport(report)}`).join("\n"),
    refused: reports.some(({ report }) => !report.accepted),
  };
}

interface Inspection {
  readonly anchors: TrustAnchors;
  readonly now: Date;
  readonly ask: boolean;
}

async function inspectFile(file: string, { anchors, now, ask }: Inspection): Promise<CertificateReport> {
  const presented = { ...parseCertificates(file, await readInput(file)), tlsVerdict: undefined };
  if (!ask) return inspectCertificate(presented, { anchors, now });
  const revocation = await askRevocation(presented, anchors, now);
  return inspectCertificate(presented, { anchors, now, revocation });
}

async function readInput(file: string): Promise<Buffer> {
  try {
    return await (file === "-" ? buffer(process.stdin) : readFile(resolve(file)));
  } catch (cause) {
    throw new CertsRefusal(`${file} cannot be read`, undefined, { cause });
  }
}

function parseCertificates(file: string, content: Buffer) {
  try {
    return readCertificateFile(content);
  } catch (error) {
    if (error instanceof CertificateFileError) throw new CertsRefusal(`${file}: ${error.message}`);
    throw error;
  }
}

async function readAnchors(file: string): Promise<TrustAnchors> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const hint = "Start the sandbox once with npm start, or name a trust anchor file with --anchors.";
    throw new CertsRefusal(`there are no trust anchors in ${file}`, hint, { cause });
  });
  try {
    return parseTrustAnchors(text);
  } catch (error) {
    if (error instanceof TrustAnchorFileError) throw new CertsRefusal(`${file}: ${error.message}`);
    throw error;
  }
}

function requireTime(text: string): Date {
  const time = findSpan(text)?.from;
  if (time !== undefined) return time;
  throw new CertsRefusal("--at must be a time such as 2026-01-31T12:00:00Z");
}
