import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CertificatePaths } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";

const run = promisify(execFile);
const SSLSCAN = "/usr/bin/sslscan";

/** The attributes of an element of sslscan's report. */
type Attributes = Readonly<Record<string, string>>;

/** What sslscan found at a port: attributes of the elements of each name, in the order of its report. */
export interface Scan {
  all(element: string): readonly Attributes[];
}

/** Scans a port of localhost from outside, with a client certificate if it requires one. */
export async function scan(port: string, client?: CertificatePaths): Promise<Scan> {
  const certificate = client === undefined ? [] : [`--certs=${client.certificate}`, `--pk=${client.key}`];
  const options = ["--no-colour", "--xml=-", "--show-sigs", "--timeout=10", ...certificate];
  const { stdout } = await run(SSLSCAN, [...options, `localhost:${port}`]);
  if (!stdout.includes("</ssltest>")) throw new Error(`sslscan did not finish:\n${stdout}`);
  return { all: (element) => attributesOf(stdout, element) };
}

function attributesOf(report: string, element: string): readonly Attributes[] {
  return [...report.matchAll(new RegExp(`<${element} ([^>]*?)/?>`, "g"))].map(([, attributes = ""]) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
    ),
  );
}
