import { relative } from "node:path";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { presentInboxes } from "../tpp/present-inboxes.ts";
import { type CodeStep, presentSignIn } from "./present-sign-in.ts";

/** Facts of the page that are not in the document. */
export interface PageFacts {
  readonly seconds: number;
  readonly workingDirectory: string;
  readonly codeStep: CodeStep;
}

const MORE_TRANSACTIONS = " More transactions: npm run seed -- --transactions 1000000";

/** The last output of `npm start`: where everything is, how to sign in, and what to try next. */
export function presentPage(document: SandboxDocument, facts: PageFacts): string {
  const path = (absolute: string) => relative(facts.workingDirectory, absolute) || ".";
  return [
    "",
    `The sandbox is ready (${facts.seconds.toFixed(1)} s).`,
    "",
    presentTable([
      ["auth", "browser, issuer", document.auth.browser],
      ["", "TPPs, mutual TLS", document.auth.mutualTls],
      ["", "health, metrics", document.auth.operator],
      ["resource", "TPPs, mutual TLS", document.resourceBase],
      ["", "health, metrics", document.resource.operator],
      ["test CA", "OCSP", document.revocation.ocsp],
    ]),
    "",
    ...presentSignIn(document, facts.codeStep),
    "",
    `TPP certificates  ${path(document.directory)}/certificates/tpp  (described in certs/README.md)`,
    `The same as JSON  ${path(document.directory)}/sandbox.json`,
    `Logs  ${path(document.directory)}/logs`,
    "",
    ...presentBeginning(document, path),
    "",
    "Single payments: npm run tpp -- pay, payment, sign, check. The codes that approve them are delivered to",
    "",
    document.delivery === null ? presentInboxes(document) : `  ${document.delivery}`,
    "",
    `All commands of a TPP: npm run tpp -- --help.${document.core === null ? MORE_TRANSACTIONS : ""}`,
    "",
    "Test certificates: npm run certs -- --help. The bank's operator (blocks, refused calls, consents): npm run auth -- --help",
    "",
    "A core system, login or delivery service of your own in place of these: packages/sandbox/README.md#your-own-systems",
    "",
    "Ctrl-C stops everything; the next start keeps the data.",
    "",
  ].join("\n");
}

/**
 * Presents the first steps. Nothing is known of the accounts of an external core system, and the ready application has no
 * consent for them.
 */
function presentBeginning(document: SandboxDocument, path: (absolute: string) => string): readonly string[] {
  const { core, login, delivery, psus } = document;
  const ofPsus =
    login === null ? "these PSUs by their psuId in sandbox.json" : "PSUs by their id at the provider";
  if (core !== null)
    return [
      `Accounts and payments are those of the core system at ${core}, of ${ofPsus}.`,
      "In another terminal:",
      "",
      ...presentOwnApplication(login === null ? ` --psu ${psus[0]?.username}` : ""),
    ];
  const list = presentList(document, path);
  if (login !== null)
    return [
      ...list,
      "In another terminal, and then in a browser as a PSU:",
      "",
      ...presentOwnApplication(""),
    ];
  const until =
    delivery === null ? "and consent to a payment" : "to the end of the consent, except a payment";
  return [
    ...list,
    `Next, in another terminal, everything that a TPP does, from registration ${until}:`,
    "",
    "  npm run tpp -- demo",
  ];
}

function presentOwnApplication(asPsu: string): readonly string[] {
  return ["  npm run tpp -- register", `  npm run tpp -- authorize${asPsu}`, "  npm run tpp -- accounts"];
}

/** One line of curl that lists accounts with the token of the ready application, if there is one. */
function presentList(
  { ca, certificates, readyApplication, resourceBase }: SandboxDocument,
  path: (absolute: string) => string,
): readonly string[] {
  if (readyApplication === null) return [];
  const { certificate, tokens } = readyApplication;
  const paths = certificates.find(({ name }) => name === certificate);
  if (paths === undefined) throw new TypeError(`no certificate ${certificate}`);
  const file = (absolute: string) => shellWord(path(absolute));
  const curl =
    `curl --cacert ${file(ca)} --cert ${file(paths.certificate)} --key ${file(paths.key)} ` +
    `-H 'Authorization: Bearer ${tokens.aisp}' '${resourceBase}/my/accounts?size=3'`;
  return ["List accounts now:", "", `  ${curl}`, ""];
}
