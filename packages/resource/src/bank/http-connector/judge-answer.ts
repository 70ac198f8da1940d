import { ContentRefusal } from "@cobs/cobs-model";
import { EdgeRefusal, parseStrictJson } from "@cobs/service-edge";
import { BankRefusal, type BankRefusalCode } from "../bank-refusal.ts";
import { CoreUnavailable } from "../core-unavailable.ts";
import type { CoreAnswer } from "./core-exchange.ts";
import type { CoreOperation, CoreQuestion } from "./core-questions.ts";
import { isJsonObject, requireNamed, UnbelievableAnswer } from "./json-members.ts";

/** The status of each refusal of the contract. */
const REFUSAL_STATUS: Readonly<Record<BankRefusalCode, number>> = {
  account_unknown: 404,
  currency_unknown: 400,
  sort_too_large: 400,
};

const JSON_TYPE = "application/json";

/** Caps the core system's Retry-After at a pause that a TPP can use. */
const MAX_PAUSE_SECONDS = 120;

/**
 * Gives what an answer says, or throws the `BankRefusal` that it holds. Any other answer throws `CoreUnavailable`:
 * `answer_cut`, `answer_refused`, `answer_throttled`, `answer_status` or `answer_malformed`.
 */
export function judgeAnswer<T>(answer: CoreAnswer, question: CoreQuestion<T>): T {
  if (isCut(answer)) throw new CoreUnavailable("answer_cut", "its connection ended before its JSON did");
  if (answer.status === 200) return believe(answer, question);
  if (answer.status !== 400 && answer.status !== 404) throw describeFailure(answer);
  throw new BankRefusal(requireRefusal(answer, question));
}

/**
 * Whether an answer that ends with its connection (RFC 9112 section 6.3) broke off. HTTP cannot tell, but a JSON object has an
 * end. An answer cut just after an inner object passes here, and then fails as JSON.
 */
function isCut(answer: CoreAnswer): boolean {
  const { status, header, body } = answer;
  if (status !== 200 || mediaTypeOf(answer) !== JSON_TYPE) return false;
  const isBounded = header("content-length") !== undefined || header("transfer-encoding") !== undefined;
  return !isBounded && !body.toString("latin1").trimEnd().endsWith("}");
}

function believe<T>(answer: CoreAnswer, question: CoreQuestion<T>): T {
  try {
    const told = readJson(answer, JSON_TYPE);
    requireNamed(told, question.about);
    return question.parse(told);
  } catch (cause) {
    const detail = `${describe(cause)} (clause ${clauseOf(cause, question)})`;
    throw new CoreUnavailable("answer_malformed", detail, { cause });
  }
}

/**
 * Reads the refusal from the `code` of problem details (RFC 9457 section 3.2). Throws `answer_status`, saying what is wrong,
 * when the code is not one that the question may get.
 */
function requireRefusal<T>(answer: CoreAnswer, { refusals }: CoreQuestion<T>): BankRefusalCode {
  try {
    const problem = readProblem(answer);
    const code = isJsonObject(problem) ? problem.code : undefined;
    const told = refusals.find((each) => each === code && REFUSAL_STATUS[each] === answer.status);
    if (told !== undefined) return told;
    throw new UnbelievableAnswer(whyNoRefusal(code));
  } catch (cause) {
    const detail = `it was answered with ${answer.status}: ${describe(cause)}`;
    throw new CoreUnavailable("answer_status", detail, { cause });
  }
}

/**
 * Reads problem details (RFC 9457); throws `UnbelievableAnswer` saying what is wrong with JSON that clause 1.3 does not allow.
 */
export function readProblem(answer: CoreAnswer): unknown {
  try {
    return readJson(answer, "application/problem+json");
  } catch (cause) {
    throw new NoJson(describe(cause), { cause });
  }
}

/** Table: every code of the contract. */
const CODES: readonly string[] = [...Object.keys(REFUSAL_STATUS), "request_malformed"];

/** Explains a code that is no refusal here, without repeating one that the contract does not have. */
function whyNoRefusal(code: unknown): string {
  const known = CODES.find((each) => each === code);
  if (known === undefined) return "it has no code of the contract";
  return `its code is ${known}, which the contract does not allow here with this status`;
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** The clause on the JSON that the contract sends. */
const CLAUSE_OF_JSON = "1.3";

/** A body is not JSON as the contract sends it. */
class NoJson extends UnbelievableAnswer {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, clause: CLAUSE_OF_JSON });
  }
}

function readJson(answer: CoreAnswer, wanted: string): unknown {
  if (mediaTypeOf(answer) !== wanted) throw new NoJson(`the media type is not ${wanted}`);
  if (isCoded(answer)) throw new NoJson("it is compressed, although that was not requested");
  return parseStrictJson(textOf(answer.body));
}

/**
 * Whether the body has a coding other than `identity`; the name ignores case, and an empty one means none (RFC 9110 section
 * 8.4).
 */
function isCoded({ header }: CoreAnswer): boolean {
  return (header("content-encoding") || "identity").toLowerCase() !== "identity";
}

function mediaTypeOf({ header }: CoreAnswer): string {
  const [type = ""] = (header("content-type") ?? "").toLowerCase().split(";");
  return type.trim();
}

/**
 * Decodes JSON text, which is UTF-8 between systems (RFC 8259 section 8.1). A byte order mark is refused, since no editor
 * shows it.
 */
function textOf(body: Buffer): string {
  if (body.indexOf(BYTE_ORDER_MARK) === 0) throw new NoJson("it begins with a byte order mark");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new NoJson("it is not UTF-8", { cause });
  }
}

function describeFailure({ status, header }: CoreAnswer): CoreUnavailable {
  const detail = `it was answered with ${status}`;
  if (status === 401 || status === 403) return new CoreUnavailable("answer_refused", detail);
  if (status !== 429 && status !== 503) return new CoreUnavailable("answer_status", detail);
  return new CoreUnavailable("answer_throttled", detail, {
    retryAfterSeconds: pauseIn(header("retry-after")),
  });
}

/** The seconds of Retry-After (RFC 9110 section 10.2.3), within bounds; dates are ignored. */
function pauseIn(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d+$/.test(value)) return undefined;
  return Math.min(Math.max(Number(value), 1), MAX_PAUSE_SECONDS);
}

/** Table: the clause of `core-contract/README.md` on the form of each answer. */
const CLAUSES_OF_FORM: Readonly<Record<CoreOperation, string>> = {
  accounts: "2.1",
  balances: "4.1",
  transactions: "5.1",
  terms: "6.1",
  "order-inspection": "6.2",
  order: "7.1",
  "order-progress": "6.4",
  "funds-check": "6.3",
};

/** The broken clause: the one that the error names, otherwise the one on the form of the answer. */
function clauseOf<T>(cause: unknown, { operation }: CoreQuestion<T>): string {
  if (cause instanceof EdgeRefusal) return CLAUSE_OF_JSON;
  return (cause instanceof UnbelievableAnswer ? cause.clause : undefined) ?? CLAUSES_OF_FORM[operation];
}

/** Where an answer is wrong and what should be there, without what was there. */
function describe(cause: unknown): string {
  if (cause instanceof ContentRefusal) return cause.faults.map(({ message }) => message).join(", ");
  if (cause instanceof UnbelievableAnswer || cause instanceof EdgeRefusal) return cause.message;
  return "it cannot be read";
}
