import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { presentPem } from "../../certificates/certificate-plan.ts";
import { inTurn } from "../../files/in-turn.ts";
import { writeWhole } from "../../files/write-whole.ts";
import { presentCrl } from "../../revocation/answer-revocation.ts";
import { readAnsweringAuthorities } from "../../revocation/answering-authorities.ts";
import { openRevokedCertificates } from "../../revocation/revoked-certificates.ts";
import { presentTable } from "../../terminal/present-table.ts";
import { requireCaFolder } from "../ca-folder.ts";
import type { CommandContext, CommandResult } from "../command.ts";

/** The folder, and whether the CRLs are to be out of date. */
export interface CrlOptions {
  readonly directory: string;
  readonly stale?: boolean;
}

const dayMilliseconds = 86_400_000;
const FOR_EVERYBODY = 0o644;

/**
 * `crl`: writes the CRL of every authority of the folder, as DER to serve and as PEM for proxies. A proxy may read at any
 * moment and finds each file whole. Of two concurrent commands, the second leaves everything that the first knew of.
 */
export async function crl(context: CommandContext, options: CrlOptions): Promise<CommandResult> {
  const { directory } = await requireCaFolder(resolve(options.directory));
  await mkdir(join(directory, "crl"), { recursive: true });
  return inTurn(join(directory, "crl"), () => writeCrls(directory, context, options));
}

async function writeCrls(
  directory: string,
  context: CommandContext,
  options: CrlOptions,
): Promise<CommandResult> {
  const revoked = await openRevokedCertificates(directory).list();
  const authorities = await readAnsweringAuthorities(directory);
  const now = new Date(context.now().getTime() - (options.stale ? dayMilliseconds : 0));
  const written = [];
  for (const authority of authorities.keys()) {
    const der = presentCrl(authority, { authorities, revoked, now });
    if (der !== undefined)
      written.push(await writeCrl(join(directory, "crl", authority), { authority, der }));
  }
  const rows = written.map(({ authority, file, pem }) => [authority, file, pem]);
  return {
    json: { crls: written, revoked: revoked.length },
    text: `${revoked.length} revoked\n\n${presentTable([["authority", "DER", "PEM"], ...rows])}`,
  };
}

async function writeCrl(
  path: string,
  { authority, der }: { readonly authority: string; readonly der: Buffer },
) {
  const [file, pem] = [`${path}.crl`, `${path}.pem`];
  await writeWhole(file, der, FOR_EVERYBODY);
  await writeWhole(pem, presentPem("X509 CRL", der), FOR_EVERYBODY);
  return { authority, file, pem };
}
