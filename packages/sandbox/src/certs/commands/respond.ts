import { resolve } from "node:path";
import { hasCode, isForbidden } from "../../processes/error-codes.ts";
import { readAnsweringAuthorities } from "../../revocation/answering-authorities.ts";
import { openRevocationResponder, revocationUrls } from "../../revocation/revocation-responder.ts";
import { openRevokedCertificates } from "../../revocation/revoked-certificates.ts";
import { requireCaFolder } from "../ca-folder.ts";
import { CertsRefusal } from "../certs-refusal.ts";
import type { CommandContext, CommandResult } from "../command.ts";

/** The folder, and the port on loopback; 0 takes a free one. */
export interface RespondOptions {
  readonly directory: string;
  readonly port: number;
}

/** `respond`: answers OCSP requests and serves CRLs on loopback, from the folder's state, until interrupted. */
export async function respond(context: CommandContext, options: RespondOptions): Promise<CommandResult> {
  const { directory } = await requireCaFolder(resolve(options.directory));
  const responder = await openRevocationResponder({
    authorities: () => readAnsweringAuthorities(directory),
    revoked: openRevokedCertificates(directory),
    port: options.port,
    tell: context.tell,
  }).catch(refuseTakenPort);
  const urls = revocationUrls(responder.port);
  // Taken before the message, since a reader of it may interrupt at once.
  const interrupted = context.interrupted();
  context.tell(
    `OCSP at ${urls.ocsp}, CRLs at ${urls.crl.replace(/[^/]+$/, "<authority>.crl")}; end with Ctrl-C`,
  );
  await interrupted;
  await responder.stop();
  return { json: { port: responder.port, ...urls }, text: "Ended." };
}

function refuseTakenPort(cause: unknown): never {
  if (!isForbidden(cause) && !hasCode(cause, "EADDRINUSE")) throw cause;
  const why = isForbidden(cause) ? "may not be opened" : "is taken by another program";
  throw new CertsRefusal(`the port ${why}`, "Choose another one with --port; 0 takes a free one.", { cause });
}
