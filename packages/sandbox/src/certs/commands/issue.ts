import { resolve } from "node:path";
import { type CarriedOut, carryOutOrder } from "../../certificates/carry-out-order.ts";
import { defects } from "../../certificates/defects.ts";
import { oddities } from "../../certificates/oddities.ts";
import { trustFiles } from "../../certificates/test-ca-files.ts";
import type { RevocationSources } from "../../certificates/tpp-certificate.ts";
import { presentTable } from "../../terminal/present-table.ts";
import { type CaFolder, keepIssued, openCaFolder } from "../ca-folder.ts";
import { CertsRefusal } from "../certs-refusal.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { type IssueRequest, type WantedOrder, wantedOrders } from "../wanted-orders.ts";

/** The options of `issue`, as on the command line. */
export interface IssueOptions {
  readonly profiles: readonly string[];
  readonly defect?: readonly string[];
  readonly oddity?: readonly string[];
  readonly allDefects?: boolean;
  readonly allOddities?: boolean;
  readonly out?: string;
  /** False leaves the source out. */
  readonly ocsp?: string | false;
  readonly crl?: string | false;
  readonly days?: number;
}

/** `issue`: makes certificates, valid or wrong in one way, and the test CA if there is none yet. */
export async function issue(context: CommandContext, options: IssueOptions): Promise<CommandResult> {
  const orders = await wantedOrders(requestOf(context, options));
  if (orders.length === 0)
    throw new CertsRefusal(
      "nothing to issue",
      "Name a profile, --defect, --oddity, --all-defects or --all-oddities.",
    );
  const folder = await openCaFolder(resolve(options.out ?? context.sandboxCertificates), context.now());
  const issued = [];
  for (const [at, wanted] of orders.entries()) {
    issued.push(await issueOne(folder, wanted, context.now()));
    if (orders.length > 20 && (at + 1) % 20 === 0) context.tell(`${at + 1} of ${orders.length} issued`);
  }
  return present(folder, issued);
}

function requestOf(context: CommandContext, options: IssueOptions): IssueRequest {
  return {
    profiles: options.profiles,
    defects: options.allDefects ? defects.map(({ name }) => name) : (options.defect ?? []),
    oddities: options.allOddities ? oddities.map(({ name }) => name) : (options.oddity ?? []),
    days: options.days,
    sources: sourcesOf(context.sources, options),
    now: context.now(),
  };
}

function sourcesOf(usual: RevocationSources, { ocsp, crl }: IssueOptions): RevocationSources {
  return {
    ocsp: ocsp === false ? undefined : requireUrl(ocsp ?? usual.ocsp),
    crl: crl === false ? undefined : requireUrl(crl ?? usual.crl),
  };
}

function requireUrl(text: string | undefined): string | undefined {
  if (text === undefined || URL.canParse(text)) return text;
  throw new CertsRefusal(`${text} is not a URL`);
}

async function issueOne(folder: CaFolder, { order, about, code }: WantedOrder, now: Date) {
  const carriedOut: CarriedOut = await carryOutOrder(order, folder);
  const { certificateFile: certificate, keyFile: key } = await keepIssued(folder, carriedOut, now);
  return { name: order.name, certificate, key, thumbprint: carriedOut.issued.thumbprint, about, code };
}

function present(
  { directory, isNew }: CaFolder,
  issued: readonly Awaited<ReturnType<typeof issueOne>>[],
): CommandResult {
  const { anchorsFile } = trustFiles(directory);
  const rows = issued.map(({ name, thumbprint, code }) => [name, code ?? "accepted", thumbprint]);
  const text = [
    `${isNew ? "A new test CA" : "The test CA"}: ${directory}`,
    `Trust anchors: ${anchorsFile}`,
    `Certificates with their chains, and keys: ${directory}/issued/<name>.pem, .key`,
    "",
    presentTable([["name", "expected", "thumbprint (x5t#S256)"], ...rows]),
  ];
  return { json: { directory, anchors: anchorsFile, issued }, text: text.join("\n") };
}
