import { relative } from "node:path";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { endOfStep, oneTimeCode, otpauthUri } from "../tpp/one-time-codes.ts";
import { presentInboxes } from "../tpp/present-inboxes.ts";

/** Facts of the page that are not in the document. */
export interface PageFacts {
  readonly seconds: number;
  readonly workingDirectory: string;
  /** The first time step whose code a PSU has not used yet. */
  readonly codeStep: (username: string) => number;
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
    presentPsus(document, facts),
    "",
    "  Each code works once. For another: npm run tpp -- code NAME, or an authenticator app with the secret, for example",
    ...document.psus.slice(0, 1).map((psu) => `  ${otpauthUri(psu)}`),
    "",
    ...presentNewcomer(document),
    "",
    `TPP certificates  ${path(document.directory)}/certificates/tpp  (described in certs/README.md)`,
    `The same as JSON  ${path(document.directory)}/sandbox.json`,
    `Logs  ${path(document.directory)}/logs`,
    "",
    ...presentBeginning(document, path),
    "",
    "Single payments: npm run tpp -- pay, payment, sign, check. The codes that approve them are delivered to",
    "",
    presentInboxes(document),
    "",
    `All commands of a TPP: npm run tpp -- --help.${document.core === null ? MORE_TRANSACTIONS : ""}`,
    "",
    "Test certificates: npm run certs -- --help. The bank's operator (blocks, refused calls, consents): npm run auth -- --help",
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
  if (document.core !== null)
    return [
      `Accounts and payments are those of the core system at ${document.core}, of these PSUs by their psuId in sandbox.json.`,
      "In another terminal:",
      "",
      "  npm run tpp -- register",
      ...document.psus.slice(0, 1).map(({ username }) => `  npm run tpp -- authorize --psu ${username}`),
      "  npm run tpp -- accounts",
    ];
  return [
    "List accounts now:",
    "",
    `  ${presentCurl(document, path)}`,
    "",
    "Next, in another terminal, everything that a TPP does, from registration and consent to a payment:",
    "",
    "  npm run tpp -- demo",
  ];
}

function presentPsus({ psus, core }: SandboxDocument, { codeStep }: PageFacts): string {
  const rows = psus.map((psu) => {
    const { code, step } = oneTimeCode(psu.totpSecret, codeStep(psu.username));
    const until = endOfStep(step).toTimeString().slice(0, 8);
    return [
      psu.username,
      psu.displayName,
      psu.password,
      `${code} until ${until}`,
      psu.totpSecret,
      ...(core === null ? [String(psu.accounts.length)] : []),
    ];
  });
  const accounts = core === null ? ["accounts"] : [];
  return presentTable([["PSU", "", "password", "one-time code", "TOTP secret", ...accounts], ...rows]);
}

/** How to see the setup of an authenticator app. */
function presentNewcomer({ newcomer, auth }: SandboxDocument): readonly string[] {
  const { username, displayName, password, activationCode } = newcomer;
  return [
    `  ${displayName} has no authenticator app yet: sign in at ${auth.browser}/authenticator`,
    `  as ${username}, password ${password}, with the activation code ${activationCode} as one-time code. It works once.`,
  ];
}

/** One line of curl that lists accounts with the token of the ready application. */
function presentCurl(document: SandboxDocument, path: (absolute: string) => string): string {
  const { certificate, tokens } = document.readyApplication;
  const paths = document.certificates.find(({ name }) => name === certificate);
  if (paths === undefined) throw new TypeError(`no certificate ${certificate}`);
  const file = (absolute: string) => shellWord(path(absolute));
  return (
    `curl --cacert ${file(document.ca)} --cert ${file(paths.certificate)} --key ${file(paths.key)} ` +
    `-H 'Authorization: Bearer ${tokens.aisp}' '${document.resourceBase}/my/accounts?size=3'`
  );
}
