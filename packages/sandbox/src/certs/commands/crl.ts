import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { presentPem } from "../../certificates/certificate-plan.ts";
import { presentCrl } from "../../revocation/answer-revocation.ts";
import { readAnsweringAuthorities } from "../../revocation/answering-authorities.ts";
import { openRevokedCertificates } from "../../revocation/revoked-certificates.ts";
import { presentTable } from "../../tpp/present-table.ts";
import { requireCaFolder } from "../ca-folder.ts";
import type { CommandContext, CommandResult } from "../command.ts";

/** Of which folder, and whether the CRLs are to be out of date. */
export interface CrlOptions {
  readonly directory: string;
  readonly stale?: boolean;
}

const dayMilliseconds = 86_400_000;

/** `crl`: writes the CRL of every authority of the folder, DER as it is served, and PEM as proxies read it. */
export async function crl(context: CommandContext, options: CrlOptions): Promise<CommandResult> {
  const { directory } = await requireCaFolder(resolve(options.directory));
  const revoked = await openRevokedCertificates(directory).list();
  const authorities = await readAnsweringAuthorities(directory);
  const now = new Date(context.now().getTime() - (options.stale ? dayMilliseconds : 0));
  await mkdir(join(directory, "crl"), { recursive: true });
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
  await writeFile(file, der);
  await writeFile(pem, presentPem("X509 CRL", der));
  return { authority, file, pem };
}
