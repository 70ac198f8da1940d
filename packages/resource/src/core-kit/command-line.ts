import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ContentRefusal, findIban, type Iban, parsePsuId } from "@cobs/cobs-model";
import { optionWords } from "@cobs/service-edge/configuration";
import { CORE_TIMEOUT_BOUNDS, isBaseUrl } from "../bank/http-connector/core-settings.ts";
import { openTable, presentSum } from "./present-results.ts";
import type { KitResult } from "./run-kit.ts";

const USAGE = `npm run connector-kit -- URL --psu ID [--other-psu ID] [--payee IBAN] --authority FILE --certificate FILE --key FILE [--json]

Tests a running core system against the contract in packages/resource/core-contract. It only reads, unless --payee is given.

  URL             https URL of the core system, as in CORE_URL
  --psu           a PSU of the core system with accounts, one of them with at least five transactions, and one that can pay
  --other-psu     another PSU, with an account that the first one does not have
  --payee         an account to pay to, preferably the other PSU's: the first PSU then makes six payments of one unit of money
                  from its first account that can pay, five to be executed immediately, and one on a later business day, and pays
                  what the bank charges for them; a bank without INST executes them on a business day before its last cut-off time
  --authority     PEM of the authority that certifies the core system, as in CORE_AUTHORITY_FILE
  --certificate   PEM of the kit's own certificate, as in BANK_CLIENT_CERTIFICATE_FILE
  --key           its key, as in BANK_CLIENT_KEY_FILE
  --timeout       how long one answer may take, in milliseconds, as in CORE_TIMEOUT_MILLISECONDS (default: 2000)
  --json          print results as JSON on standard output; an error too, as {error, message, hint}

Exit codes: 0 no check failed, 1 a check failed, 2 it could not run: wrong usage, no answer to the first question, or a PSU
without an account.
`;

const OPTIONS = {
  psu: { type: "string" },
  "other-psu": { type: "string" },
  payee: { type: "string" },
  authority: { type: "string" },
  certificate: { type: "string" },
  key: { type: "string" },
  timeout: { type: "string", default: "2000" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

const CALLS_AT_ONCE = 50;

/** Where a command writes its output. */
export interface KitOutput {
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** A value on the command line cannot be used. */
class UsageFault extends Error {}

/** Runs the kit as the command line says; gives the exit code. */
export async function runCommandLine(arguments_: readonly string[], output: KitOutput): Promise<0 | 1 | 2> {
  try {
    const wanted = readArguments(arguments_);
    if (wanted === undefined) {
      output.say(USAGE);
      return 0;
    }
    // Loaded only here: these modules take longer to load than a wrong command line takes to be refused.
    const [{ openKitCore }, { KIT_CHECKS, runKit }] = await Promise.all([
      import("./kit-core.ts"),
      import("./run-kit.ts"),
    ]);
    const core = openKitCore(wanted.settings);
    const row = openTable(KIT_CHECKS);
    // All checks take half a minute, so people see each result as it comes.
    const tell = wanted.json ? undefined : (result: KitResult) => output.say(row(result));
    const results = await runKit({ ...wanted, core }, KIT_CHECKS, tell).finally(() => core.close());
    output.say(wanted.json ? `${JSON.stringify(results, null, 2)}\n` : presentSum(results));
    return results.some(({ outcome }) => outcome === "failed") ? 1 : 0;
  } catch (error) {
    const { text, json } = await explainFault(error);
    if (optionWords(arguments_).includes("--json")) output.say(`${JSON.stringify(json)}\n`);
    else output.complain(`${text}\n`);
    return 2;
  }
}

/** Why there are no results, as text for people and as JSON for programs. */
interface ToldFault {
  readonly text: string;
  readonly json: { readonly error: "usage" | "cannot_run"; readonly message: string; readonly hint?: string };
}

/** Explains an error that the command expects; any other is a bug of the kit and thrown again. */
async function explainFault(error: unknown): Promise<ToldFault> {
  if (error instanceof UsageFault) {
    const { message } = error;
    const text = `npm run connector-kit: ${message}; see --help`;
    return { text, json: { error: "usage", message, hint: "See --help." } };
  }
  // Imported from the same place as the kit that throws it: source and build, if mixed, have two classes of that name.
  const { CannotRun } = await import("./kit-check.ts");
  if (!(error instanceof CannotRun)) throw error;
  const { message } = error;
  return { text: `The kit could not be run: ${message}.`, json: { error: "cannot_run", message } };
}

function readArguments(arguments_: readonly string[]) {
  const { values, positionals } = parse(arguments_);
  if (values.help) return undefined;
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0) throw new UsageFault("give one URL");
  const authority = readFile("authority", values.authority);
  const identity = {
    certificate: readFile("certificate", values.certificate),
    key: readFile("key", values.key),
  };
  const settings = {
    url: readUrl(url),
    authority,
    identity: () => identity,
    timeoutMilliseconds: readTimeout(values.timeout),
    callsAtOnce: CALLS_AT_ONCE,
  };
  return {
    settings,
    ...readPsus(values),
    payee: values.payee === undefined ? undefined : readIban(values.payee),
    json: values.json,
  };
}

function parse(arguments_: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...arguments_],
      options: OPTIONS,
      allowPositionals: true,
      tokens: true,
    });
    requireOnce(
      parsed.tokens.flatMap((token) =>
        token.kind === "option" && token.value !== undefined ? [token.rawName] : [],
      ),
    );
    return parsed;
  } catch (error) {
    // Node adds a hint about values that begin with a hyphen, which do not occur here.
    throw new UsageFault(error instanceof Error ? error.message.replace(/\.\s.*/s, "") : "cannot be read");
  }
}

/** Refuses an option that is given twice, because its first value would be lost. */
function requireOnce(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageFault(`${twice} may be given only once`);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:") throw new UsageFault("the URL of a core system must start with https:");
  if (!isBaseUrl(url))
    throw new UsageFault("the URL of a core system must not have a query, a fragment or credentials");
  return url;
}

function readTimeout(text: string): number {
  const milliseconds = Number(text);
  const [least, most] = CORE_TIMEOUT_BOUNDS;
  if (/^\d+$/.test(text) && milliseconds >= least && milliseconds <= most) return milliseconds;
  throw new UsageFault(`--timeout must be a number of milliseconds from ${least} to ${most}`);
}

function readIban(text: string): Iban {
  const iban = findIban(text);
  if (iban === undefined) throw new UsageFault("--payee is not an IBAN");
  return iban;
}

function readFile(option: string, path: string | undefined): string {
  if (path === undefined) throw new UsageFault(`--${option} is missing`);
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageFault(`--${option}: the file ${path} cannot be read`);
  }
}

/** Reads the PSUs, who must be two: what is shown about one PSU's account would be looked for with the same PSU. */
function readPsus(values: { readonly psu?: string; readonly "other-psu"?: string }) {
  const psu = readPsu("psu", values.psu);
  const other = values["other-psu"];
  if (other === undefined) return { psu, otherPsu: undefined };
  const otherPsu = readPsu("other-psu", other);
  if (otherPsu === psu) throw new UsageFault("--other-psu is the PSU of --psu");
  return { psu, otherPsu };
}

function readPsu(option: string, text: string | undefined) {
  if (text === undefined) throw new UsageFault(`--${option} is missing`);
  try {
    return parsePsuId(text);
  } catch (error) {
    if (!(error instanceof ContentRefusal)) throw error;
    throw new UsageFault(`--${option} is not the id of a PSU: 1 to 64 letters, digits, - and _`);
  }
}
