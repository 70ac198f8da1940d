import { readFileSync } from "node:fs";
import {
  CertificateFileError,
  parseCertificateThumbprint,
  readCertificateFile,
  thumbprintOf,
} from "@cobs/psd2-certificates";
import type { Command } from "commander";
import { CommandRefusal } from "../command-refusal.ts";
import { END_LIMIT_MILLISECONDS, type OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { moreAfter, type PageOptions, pathWith, withPages } from "./list-rows.ts";
import { parseAnswer } from "./members.ts";
import { presentBlocks } from "./present-blocks.ts";

/** The TPP or certificate to block or release, the certificate by its thumbprint or file; and why. */
interface StopListOptions {
  readonly tpp?: string;
  readonly certificate?: string;
  readonly reason: string;
}

const STOP_LIST = "/operator/stop-list";
const TPP = ["--tpp <organisation>", "a TPP, such as PSDCZ-CNB-12345678"] as const;
const CERTIFICATE = [
  "--certificate <thumbprint-or-file>",
  "one certificate: its thumbprint (x5t#S256), or a PEM or DER file",
] as const;

/** Adds `stop-list …`: TPPs and certificates that may not call. */
export function addStopList(stopList: Command, run: RunCommand): void {
  withPages(stopList.command("list"))
    .description("list the blocks in force, oldest first")
    .option("--history", "include past blocks, newest first")
    .action(({ json = false, ...options }: PageOptions & { readonly history?: boolean }) =>
      run(({ auth }) => listBlocks(auth, options), json),
    );
  stopList
    .command("block")
    .description("block a TPP or a certificate from now on")
    .option(...TPP)
    .option(...CERTIFICATE)
    .requiredOption("--reason <text>", "1 to 500 characters; kept with the block")
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: Json & StopListOptions) =>
      run(({ auth }) => block(auth, order), json),
    );
  stopList
    .command("release")
    .description("end a block")
    .option(...TPP)
    .option(...CERTIFICATE)
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: Json & StopListOptions) =>
      run(({ auth }) => release(auth, order), json),
    );
}

function readThumbprint(text: string): string {
  const thumbprint = parseCertificateThumbprint(text);
  if (thumbprint !== undefined) return thumbprint;
  try {
    return thumbprintOf(readCertificateFile(readFileSync(text)).der);
  } catch (error) {
    const why = error instanceof CertificateFileError ? error.message : "The file cannot be read.";
    throw new CommandRefusal(
      "usage",
      `--certificate ${text} is neither a thumbprint nor a certificate file. ${why}`,
    );
  }
}

function bodyOf({ tpp, certificate, reason }: StopListOptions) {
  if ((tpp === undefined) === (certificate === undefined))
    throw new CommandRefusal("usage", "give either --tpp or --certificate");
  return tpp === undefined ? { certificate: readThumbprint(certificate ?? ""), reason } : { tpp, reason };
}

const blocksIn = (json: string) => presentBlocks(parseAnswer(json));

async function listBlocks(
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
  return { json, text: blocksIn(json) + moreAfter(parseAnswer(json)) };
}

async function block(call: OperatorClient, order: StopListOptions): Promise<CommandResult> {
  const body = bodyOf(order);
  const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
  const json = await call({ method: "POST", path: STOP_LIST, body, timeoutMilliseconds });
  const { result } = parseAnswer(json);
  const since = result === "already_blocked" ? "Already in force, with its earlier reason" : "In force";
  return { json, text: `${since}:\n${blocksIn(json)}` };
}

async function release(call: OperatorClient, order: StopListOptions): Promise<CommandResult> {
  const json = await call({ method: "POST", path: `${STOP_LIST}/release`, body: bodyOf(order) });
  const still = parseAnswer(json).stillBlockedByRegister === true;
  const note = still ? "\nThe TPP register still blocks it." : "";
  return { json, text: `Released:\n${blocksIn(json)}${note}` };
}
