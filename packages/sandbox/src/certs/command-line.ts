import { Command, type OutputConfiguration } from "commander";
import { revocationReasons } from "../certificates/crl.ts";
import { jsonOption } from "../terminal/json-option.ts";
import { wholeNumber } from "../terminal/read-command-line.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import { type CrlOptions, crl } from "./commands/crl.ts";
import { type InspectOptions, inspect } from "./commands/inspect.ts";
import { type IssueOptions, issue } from "./commands/issue.ts";
import { list } from "./commands/list.ts";
import { type OcspOptions, ocsp } from "./commands/ocsp.ts";
import { type RespondOptions, respond } from "./commands/respond.ts";
import { type RevokeOptions, revoke, unrevoke } from "./commands/revoke.ts";
import { ocspAnswers } from "./ocsp-answers.ts";

/** Runs a command with its options; the caller prints the result. */
export type RunCommand = <O>(
  command: (context: CommandContext, options: O) => Promise<CommandResult>,
  options: O,
  json: boolean,
) => Promise<void>;

type Json = { readonly json?: boolean };

/** Options that may be repeated. */
export const GATHERING_OPTIONS: readonly string[] = ["--defect", "--oddity", "--answer"];
const MOST_DAYS = 3_650;
const MOST_PORT = 65_535;
const DIRECTORY = "folder of a test CA, such as .sandbox/certificates";
const EXAMPLES = `
DIR is the folder of a test CA. Without --out, and for inspect without --anchors, it is that of the sandbox
(.sandbox/certificates, or certificates/ in SANDBOX_DIRECTORY).

Examples:
  npm run certs -- list
  npm run certs -- issue aisp-pisp --out test-ca
  npm run certs -- issue --defect expired,qsealc --oddity chain-of-two --out test-ca
  npm run certs -- issue --all-defects --all-oddities --ocsp http://127.0.0.1:8090/ocsp --out test-ca
  npm run certs -- respond test-ca --port 8090
  npm run certs -- revoke test-ca aisp-pisp --reason keyCompromise
  npm run certs -- ocsp test-ca --certificate aisp-pisp
  npm run certs -- inspect test-ca/issued/expired.pem --anchors test-ca/anchors.json

Exit codes: 0 done, 1 a certificate was refused (inspect), 2 wrong usage, 3 an unexpected error.`;

/** The commands of `npm run certs --` with their options and help; help goes to `output`. */
export function createCommandLine(run: RunCommand, output: OutputConfiguration): Command {
  const program = new Command("npm run certs --");
  program
    .configureOutput(output)
    .description(
      "A test CA: issues TPP certificates, valid or with exactly one defect, answers OCSP, writes CRLs, and explains any certificate. Never trust in production what it issues.",
    )
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("See --help.")
    .exitOverride();

  add("list", "list what can be issued: profiles, defects with their refusal codes, oddities").action(
    (options: Json) => run(list, {}, options.json ?? false),
  );
  addMaking();
  addRevocation();
  add("inspect", "explain certificates: every check with its clause, and what would have to change")
    .argument("<files...>", "PEM, DER or base64; a chain may follow the certificate; - is standard input")
    .option("--anchors <file>", "trust anchor file; default: the sandbox's")
    .option("--at <time>", "as of this time, such as 2026-01-31T12:00:00Z; default: now")
    .option("--ask", "check revocation too, with the OCSP responders and CRLs that the certificate names")
    .action((files: readonly string[], options: Omit<InspectOptions, "files"> & Json) =>
      run(inspect, { ...options, files }, options.json ?? false),
    );
  return program;

  function add(usage: string, description: string): Command {
    return program.command(usage).description(description).addOption(jsonOption());
  }

  function addMaking(): void {
    add("issue", "issue certificates with keys; makes the test CA if there is none yet")
      .argument("[profiles...]", "profiles in certs/; --defect and --oddity change them")
      .option("--defect <names>", "with this one defect; separated by commas, or repeated", collect)
      .option("--all-defects", "one certificate for every defect")
      .option("--oddity <names>", "unusual but valid in this way; separated by commas, or repeated", collect)
      .option("--all-oddities", "one certificate for every oddity")
      .option("--out <dir>", "folder of the test CA; must be missing, empty, or that of a test CA")
      .option("--ocsp <url>", "OCSP responder named in the certificates; default: the sandbox's")
      .option("--no-ocsp", "name no OCSP responder")
      .option("--crl <url>", "CRL named in the certificates; intermediates use <name>.crl beside it")
      .option("--no-crl", "name no CRL")
      .option(
        "--days <number>",
        "validity of certificates without a defect; default: as in the profile",
        wholeNumber(1, MOST_DAYS),
      )
      .action((profiles: readonly string[], options: Omit<IssueOptions, "profiles"> & Json) =>
        run(issue, { ...options, profiles }, options.json ?? false),
      );
  }

  function addRevocation(): void {
    addForCertificate("revoke", "revoke a certificate; the next answer says so")
      .option("--reason <reason>", revocationReasons.join(", "), "unspecified")
      .action((directory: string, name: string, options: Pick<RevokeOptions, "reason"> & Json) =>
        run(revoke, { ...options, directory, name }, options.json ?? false),
      );
    addForCertificate("unrevoke", "take a revocation back").action(
      (directory: string, name: string, options: Json) =>
        run(unrevoke, { directory, name }, options.json ?? false),
    );
    add("crl", "write the CRL of every authority of the folder to DIR/crl/, as DER and as PEM")
      .argument("<dir>", DIRECTORY)
      .option("--stale", "CRLs that expired yesterday")
      .action((directory: string, options: Omit<CrlOptions, "directory"> & Json) =>
        run(crl, { ...options, directory }, options.json ?? false),
      );
    add("ocsp", "write OCSP answers to files: the true one to a request, or each kind for a certificate")
      .argument("<dir>", DIRECTORY)
      .argument("[request]", "file of an OCSP request, DER; the answer is written beside it as .response")
      .option(
        "--certificate <name>",
        "without a request: certificate in the folder, or the path of a PEM file",
      )
      .option("--answer <kinds>", `${Object.keys(ocspAnswers).join(", ")}; default: all`, collect)
      .action(
        (directory: string, request: string | undefined, options: Omit<OcspOptions, "directory"> & Json) =>
          run(
            ocsp,
            { ...options, directory, ...(request !== undefined && { request }) },
            options.json ?? false,
          ),
      );
    add("respond", "answer OCSP requests and serve CRLs on loopback until interrupted")
      .argument("<dir>", DIRECTORY)
      .option("--port <number>", "0 takes a free one", wholeNumber(0, MOST_PORT), 8090)
      .action((directory: string, options: Omit<RespondOptions, "directory"> & Json) =>
        run(respond, { ...options, directory }, options.json ?? false),
      );
  }

  function addForCertificate(usage: string, description: string): Command {
    return add(usage, description)
      .argument("<dir>", DIRECTORY)
      .argument("<name>", "certificate in issued/ or tpp/ of the folder, or the path of a PEM file");
  }
}

/** Collects a repeated option: `--defect expired,qsealc` and `--defect expired --defect qsealc` are the same. */
function collect(names: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...names.split(",").map((name) => name.trim())].filter((name) => name !== "");
}
