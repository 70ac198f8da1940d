import { resolve } from "node:path";
import { revocationReasons } from "../../certificates/crl.ts";
import { serialNumberOf } from "../../revocation/answer-revocation.ts";
import { openRevokedCertificates } from "../../revocation/revoked-certificates.ts";
import { requireCaFolder } from "../ca-folder.ts";
import { CertsRefusal } from "../certs-refusal.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { findCertificate } from "../find-certificate.ts";

/** The folder and the certificate in it. */
export interface RevokeOptions {
  readonly directory: string;
  readonly name: string;
  readonly reason?: string;
}

/** `revoke`: makes the folder's responder say, from the next answer on, that the certificate is revoked. */
export async function revoke(context: CommandContext, options: RevokeOptions): Promise<CommandResult> {
  const { directory } = await requireCaFolder(resolve(options.directory));
  const reason = revocationReasons.find((each) => each === options.reason);
  if (reason === undefined)
    throw new CertsRefusal(
      `there is no reason ${options.reason}`,
      `There are: ${revocationReasons.join(", ")}`,
    );
  const serialNumber = serialNumberOf((await findCertificate(directory, options.name)).certificatePem);
  await openRevokedCertificates(directory).revoke(serialNumber, reason, context.now());
  return {
    json: { name: options.name, serialNumber, revoked: true, reason },
    text: `${options.name} (serial number ${serialNumber}) is revoked: ${reason}`,
  };
}

const WHO_REMEMBERS =
  "A service that has seen it revoked remembers that for a day, or until its restart, unless it was certificateHold.";

/** `unrevoke`: takes a revocation back, as an authority may for a certificate on hold. */
export async function unrevoke(_context: CommandContext, options: RevokeOptions): Promise<CommandResult> {
  const { directory } = await requireCaFolder(resolve(options.directory));
  const serialNumber = serialNumberOf((await findCertificate(directory, options.name)).certificatePem);
  const released = await openRevokedCertificates(directory).release(serialNumber);
  const what = released ? "is good again" : "was not revoked";
  const text = `${options.name} (serial number ${serialNumber}) ${what}`;
  return {
    json: { name: options.name, serialNumber, revoked: false, changed: released },
    text: released ? `${text}\n${WHO_REMEMBERS}` : text,
  };
}
