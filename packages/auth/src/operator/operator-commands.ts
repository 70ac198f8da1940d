import { readFileSync } from "node:fs";
import {
  CertificateFileError,
  parseCertificateThumbprint,
  readCertificateFile,
  thumbprintOf,
} from "@cobs/psd2-certificates";
import { CommandRefusal } from "./command-refusal.ts";
import type { CommandResult } from "./commands/command-run.ts";
import { pathWith } from "./commands/list-rows.ts";
import { END_LIMIT_MILLISECONDS, type OperatorClient } from "./operator-client.ts";
import { presentBlocks } from "./present-blocks.ts";

/** Who is meant: a TPP, or one certificate, by its thumbprint or the file that holds it. */
export interface Whom {
  readonly organisation?: string;
  readonly certificate?: string;
}

const STOP_LIST = "/operator/stop-list";

function readThumbprint(text: string): string {
  const thumbprint = parseCertificateThumbprint(text);
  if (thumbprint !== undefined) return thumbprint;
  try {
    return thumbprintOf(readCertificateFile(readFileSync(text)).der);
  } catch (error) {
    const why = error instanceof CertificateFileError ? error.message : "it cannot be read";
    throw new CommandRefusal("usage", `--certificate ${text} is no thumbprint, and as a file: ${why}`);
  }
}

function pathAndBody({ organisation, certificate }: Whom) {
  if ((organisation === undefined) === (certificate === undefined))
    throw new CommandRefusal("usage", "give one of --organisation and --certificate");
  if (organisation !== undefined)
    return {
      path: `${STOP_LIST}/organisation/${encodeURIComponent(organisation)}`,
      body: { organisationIdentifier: organisation },
    };
  const thumbprint = readThumbprint(certificate ?? "");
  return { path: `${STOP_LIST}/certificate/${thumbprint}`, body: { thumbprint } };
}

const blocksIn = (text: string) => presentBlocks(JSON.parse(text));

/** `stop-list list`: what is blocked now, or what ever was; page by page. */
export async function listBlocks(
  call: OperatorClient,
  {
    history = false,
    ...page
  }: { readonly history?: boolean; readonly limit?: string; readonly after?: string },
): Promise<CommandResult> {
  const json = await call({
    method: "GET",
    path: pathWith(history ? `${STOP_LIST}/history` : STOP_LIST, page),
  });
  const { next }: { readonly next?: unknown } = JSON.parse(json);
  const more = typeof next === "number" ? `\nThere are more: --after ${next}` : "";
  return { json, text: blocksIn(json) + more };
}

/** `stop-list block`: from this moment on, on every process of auth. */
export async function block(
  call: OperatorClient,
  { reason, ...whom }: Whom & { readonly reason: string },
): Promise<CommandResult> {
  const body = { ...pathAndBody(whom).body, reason };
  const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
  const json = await call({ method: "POST", path: STOP_LIST, body, timeoutMilliseconds });
  const { result }: { readonly result?: unknown } = JSON.parse(json);
  const since = result === "already_blocked" ? "In force already, with the reason that it had" : "In force";
  return { json, text: `${since}:\n${blocksIn(json)}` };
}

/** `stop-list release`: tokens that did not end meanwhile work again. */
export async function release(call: OperatorClient, whom: Whom): Promise<CommandResult> {
  const json = await call({ method: "DELETE", path: pathAndBody(whom).path });
  const parsed: { readonly stillBlockedByRegister?: unknown } = JSON.parse(json);
  const still = parsed.stillBlockedByRegister === true;
  const note = still ? "\nThe TPP register still blocks: it is not free." : "";
  return { json, text: `Released:\n${presentBlocks(parsed)}${note}` };
}
