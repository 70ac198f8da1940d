import { X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { IssuedCertificate } from "../../certificates/issue-certificate.ts";
import { inTurn } from "../../files/in-turn.ts";
import { writeWhole } from "../../files/write-whole.ts";
import { answerOcsp, serialNumberOf } from "../../revocation/answer-revocation.ts";
import {
  type AnsweringAuthorities,
  readAnsweringAuthorities,
} from "../../revocation/answering-authorities.ts";
import { openRevokedCertificates } from "../../revocation/revoked-certificates.ts";
import { presentTable } from "../../terminal/present-table.ts";
import { type CaFolder, requireCaFolder } from "../ca-folder.ts";
import { CertsRefusal } from "../certs-refusal.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { findCertificate } from "../find-certificate.ts";
import { isOcspAnswerKind, type OcspAnswerKind, ocspAnswers } from "../ocsp-answers.ts";

/** The folder, and either a request or a certificate with the kinds of answer. */
export interface OcspOptions {
  readonly directory: string;
  readonly request?: string;
  /** A name in the folder, or the path of a PEM file; the answers are named after it. */
  readonly certificate?: string;
  readonly answer?: readonly string[];
}

const FOR_EVERYBODY = 0o644;

/** `ocsp`: writes OCSP answers as whole files: the true one to a request, or any kind about a certificate. */
export async function ocsp(context: CommandContext, options: OcspOptions): Promise<CommandResult> {
  const folder = await requireCaFolder(resolve(options.directory));
  if (options.request !== undefined) return answerRequest(folder, resolve(options.request), context.now());
  if (options.certificate === undefined)
    throw new CertsRefusal("ocsp needs the file of a request, or --certificate NAME");
  return answerAbout(folder, options.certificate, {
    kinds: kindsOf(options.answer ?? []),
    now: context.now(),
  });
}

async function answerRequest({ directory }: CaFolder, file: string, now: Date): Promise<CommandResult> {
  const request = await readFile(file).catch((cause: unknown) => {
    throw new CertsRefusal(`${file} cannot be read`, undefined, { cause });
  });
  const authorities = await readAnsweringAuthorities(directory);
  const response = `${file}.response`;
  await inTurn(response, async () => {
    const revoked = await openRevokedCertificates(directory).list();
    await writeWhole(response, answerOcsp(request, { authorities, revoked, now }), FOR_EVERYBODY);
  });
  return { json: { request: file, response }, text: `The answer: ${response}` };
}

async function answerAbout(
  { directory, ca }: CaFolder,
  name: string,
  { kinds, now }: { readonly kinds: readonly OcspAnswerKind[]; readonly now: Date },
): Promise<CommandResult> {
  const { certificatePem } = await findCertificate(directory, name);
  const issuer = issuerAmong(await readAnsweringAuthorities(directory), certificatePem);
  const about = { serialNumber: serialNumberOf(certificatePem), issuer, ca, now };
  await mkdir(join(directory, "ocsp"), { recursive: true });
  const write = async (kind: OcspAnswerKind) => {
    const file = join(directory, "ocsp", `${basename(name, ".pem")}.${kind}.der`);
    await writeWhole(file, ocspAnswers[kind].make(about), FOR_EVERYBODY);
    return { kind, file, what: ocspAnswers[kind].what };
  };
  const written = await inTurn(join(directory, "ocsp"), () => Promise.all([...new Set(kinds)].map(write)));
  const rows = written.map(({ kind, what, file }) => [kind, what, file]);
  return {
    json: { certificate: name, answers: written },
    text: presentTable([["answer", "what it says", "file"], ...rows]),
  };
}

function issuerAmong(authorities: AnsweringAuthorities, certificatePem: string): IssuedCertificate {
  const certificate = new X509Certificate(certificatePem);
  const found = [...authorities.values()].find((each) =>
    certificate.verify(new X509Certificate(each.certificatePem).publicKey),
  );
  if (found !== undefined) return found;
  throw new CertsRefusal("no authority of this folder has issued the certificate");
}

function kindsOf(words: readonly string[]): readonly OcspAnswerKind[] {
  const all = Object.keys(ocspAnswers).filter(isOcspAnswerKind);
  if (words.length === 0) return all;
  return words.map((word) => {
    if (isOcspAnswerKind(word)) return word;
    throw new CertsRefusal(`there is no answer ${word}`, `There are: ${all.join(", ")}`);
  });
}
