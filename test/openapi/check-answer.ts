/** Compares a server's answers with the description. */
import type { Header, MediaType, Reference, Response, Schema } from "@cobs/cobs-model/openapi";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { RawAnswer } from "../support/raw-https.ts";
import { describedBy, shownBy } from "./described-members.ts";
import { below, type Described, DOCUMENT, findOperation } from "./interface-document.ts";

const ID = "interface";
/** Headers of HTTP itself, and those that protect every answer; they are the same everywhere. */
const UNDESCRIBED = [
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "pragma"],
  ...["transfer-encoding", "vary", "content-security-policy", "cross-origin-opener-policy"],
  ...["cross-origin-resource-policy", "origin-agent-cluster", "referrer-policy", "strict-transport-security"],
  ...["x-content-type-options", "x-dns-prefetch-control", "x-download-options", "x-frame-options"],
  ...["x-permitted-cross-domain-policies", "x-xss-protection"],
];

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
// A document is not a schema, but contains schemas.
for (const member of Object.keys(DOCUMENT)) ajv.addKeyword(member);
ajv.addSchema({ ...DOCUMENT }, ID, undefined, false);

const compiled = new Map<string, ValidateFunction>();

/** Faults of a value by the schema at a place of the description. */
export function faultsBySchema(fragment: string, value: unknown): readonly string[] {
  const validate = compiled.get(fragment) ?? ajv.compile({ $ref: `${ID}${fragment}` });
  compiled.set(fragment, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

/** Part of the description, and its place. */
interface Placed<T> {
  readonly value: T;
  readonly pointer: string;
}

/** The object itself, or the component to which its reference leads. */
export function resolve<T extends object>(
  there: Placed<T | Reference>,
  components: Readonly<Record<string, T>>,
): Placed<T> {
  const { value, pointer } = there;
  if (!isReference(value)) return { value, pointer };
  const component = components[value.$ref.split("/").at(-1) ?? ""];
  if (component === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return { value: component, pointer: value.$ref };
}

function isReference(value: object): value is Reference {
  return "$ref" in value;
}

/** The described answer with a status, and its place. */
export function findResponse({ operation, pointer }: Described, status: number | string) {
  const found: Response | Reference | undefined = operation.responses[String(status)];
  const place = below(pointer, "responses", String(status));
  return found && resolve<Response>({ value: found, pointer: place }, DOCUMENT.components.responses);
}

/** The parts of an answer that are checked. */
type Answered = Pick<RawAnswer, "status" | "headers" | "body">;

/** Every difference between an answer and its description. */
export function faultsOf(described: Described, answer: Answered): readonly string[] {
  const response = findResponse(described, answer.status);
  if (response === undefined) return [`${answer.status} is not described: ${answer.body.slice(0, 200)}`];
  return [...faultsOfHeaders(response.value, answer), ...faultsOfBody(response, answer)];
}

function faultsOfHeaders({ headers = {} }: Response, answer: Answered): readonly string[] {
  const described = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const undescribed = Object.keys(answer.headers)
    .filter((name) => !described.has(name) && !UNDESCRIBED.includes(name))
    .map((name) => `the header ${name} is not described`);
  const faults = Object.entries(headers).flatMap(([name, header]) => {
    const { value, pointer } = resolve<Header>({ value: header, pointer: "" }, DOCUMENT.components.headers);
    const sent = answer.headers[name.toLowerCase()];
    if (sent === undefined) return value.required ? [`the header ${name} is missing`] : [];
    return faultsBySchema(below(pointer, "schema"), sent).map(
      (fault) => `the header ${name}${fault}: ${sent}`,
    );
  });
  return [...undescribed, ...faults];
}

function faultsOfBody({ value, pointer }: Placed<Response>, answer: Answered): readonly string[] {
  // The content of a redirect means nothing to a program (RFC 9110 15.4).
  if (answer.status === 303) return [];
  const content: Readonly<Record<string, MediaType>> = value.content ?? {};
  const type = String(answer.headers["content-type"] ?? "").split(";")[0] ?? "";
  if (Object.keys(content).length === 0) return answer.body === "" ? [] : [`a body of ${type}`];
  if (content[type] === undefined) return [`the media type ${type} is not described`];
  const body: unknown = /[/+]json$/.test(type) ? JSON.parse(answer.body) : answer.body;
  const faults = faultsBySchema(below(pointer, "content", type, "schema"), body);
  return [...faults.map((fault) => `the body${fault}`), ...undescribedCodes(value, answer)];
}

function undescribedCodes({ "x-error-codes": described }: Response, answer: Answered): readonly string[] {
  if (described === undefined) return [];
  return codesIn(answer)
    .filter((code) => !described.includes(code))
    .map((code) => `the code ${code} is not described`);
}

/** What calls have shown so far. */
export interface Observation {
  /** Records a host's answer to a call; `origin` names the host. */
  take(origin: string, call: { readonly method?: string; readonly path?: string }, answer: Answered): void;
  /** Every difference from the description since the last call of this function. */
  takeFaults(): readonly string[];
  /** `operationId status` of each answer, and `operationId status code` of each error in it. */
  readonly reached: ReadonlySet<string>;
  /**
   * `operationId status error: error_description` of each flat error (COBS PDF 1.4.7), and `operationId status error at scope:
   * message` of each error of the API (1.2.10.1).
   */
  readonly refusals: ReadonlySet<string>;
  /** `Component.member` of each member in JSON, and `Component.member=value` of each enumerated value. */
  readonly members: ReadonlySet<string>;
}

/** Whether an answer is the 404 of a host other than the described one; every other answer there must be as described. */
function isElsewhere({ operation }: Described, origin: string, { status }: Answered): boolean {
  return status === 404 && operation.servers.every(({ url }) => url !== origin);
}

/** Codes of an error, in either payload. */
function codesIn({ headers, body }: Answered): readonly string[] {
  if (!String(headers["content-type"]).startsWith("application/json")) return [];
  return [...body.matchAll(/"error":"(\w+)"/g)].map(([, code = ""]) => code);
}

/** Every status and error code of some operations that calls must reach, in the form of `reached`. */
export function namesOf(operations: readonly Described[]): readonly string[] {
  return operations.flatMap((described) => {
    const { operationId, responses } = described.operation;
    return Object.keys(responses).flatMap((status) => {
      const response = findResponse(described, status);
      const name = `${operationId} ${status}`;
      return [name, ...(response?.value["x-error-codes"] ?? []).map((code) => `${name} ${code}`)];
    });
  });
}

/** Examples of the errors that operations are described to answer, in the form of `refusals`. */
export function shownRefusalsOf(operations: readonly Described[]): readonly string[] {
  return operations.flatMap((described) => {
    const { operationId, responses } = described.operation;
    return Object.keys(responses).flatMap((status) => {
      const { content, "x-error-codes": codes } = findResponse(described, status)?.value ?? {};
      const { examples = {} } = (codes && content?.["application/json"]) ?? {};
      const told = Object.values(examples).flatMap(({ value }) => refusalsIn(value));
      return told.map((refusal) => `${operationId} ${status} ${refusal}`);
    });
  });
}

/** Table: parts of error texts that depend on bank or time, and their replacements. */
const OF_MOMENT: readonly (readonly [what: RegExp, instead: string])[] = [
  [/https:\/\/[a-z0-9.:]+/g, "<host>"],
  [/(?<=try again in )(\d+ seconds|a second)/g, "<some time>"],
];

const withoutMoment = (told: string) =>
  OF_MOMENT.reduce((text, [what, instead]) => text.replace(what, instead), told);

/** An OAuth error may have more members than its example shows (RFC 6749 5.2). */
function refusalsIn(body: unknown): readonly string[] {
  const { error, error_description, errors } = Object(body);
  if (!Array.isArray(errors)) return [withoutMoment(`${error}: ${error_description}`)];
  return errors.map((each) => withoutMoment(`${each.error} at ${each.scope}: ${each.message}`));
}

/** The schema of an answer's JSON. */
function schemaOfAnswer(described: Described, status: number | string): Schema | undefined {
  const { content = {} } = findResponse(described, status)?.value ?? {};
  return Object.entries(content).find(([type]) => /[/+]json$/.test(type))?.[1].schema;
}

/** Every member and every enumerated value in the described answers of some operations, in the form of `members`. */
export function membersOf(operations: readonly Described[]): readonly string[] {
  const schemas = operations.flatMap((described) =>
    [200, 201].map((status) => schemaOfAnswer(described, status)),
  );
  return [
    ...new Set(
      schemas.flatMap((schema) => (schema === undefined ? [] : [...describedBy({ name: "", schema })])),
    ),
  ];
}

/** Starts observing; calls of undescribed operations are ignored. */
export function observe(): Observation {
  const faults: string[] = [];
  const reached = new Set<string>();
  const refusals = new Set<string>();
  const members = new Set<string>();
  return {
    reached,
    refusals,
    members,
    takeFaults: () => faults.splice(0),
    take: (origin, { method = "GET", path = "" }, answer) => {
      const described = findOperation(method, path);
      if (described === undefined || isElsewhere(described, origin, answer)) return;
      const name = `${described.operation.operationId} ${answer.status}`;
      reached.add(name);
      for (const code of codesIn(answer)) reached.add(`${name} ${code}`);
      if (codesIn(answer).length > 0)
        for (const refusal of refusalsIn(JSON.parse(answer.body))) refusals.add(`${name} ${refusal}`);
      const schema = schemaOfAnswer(described, answer.status);
      if (schema !== undefined && answer.status < 300)
        shownBy({ name: "", schema }, JSON.parse(answer.body), members);
      faults.push(...faultsOf(described, answer).map((fault) => `${name}: ${fault}`));
    },
  };
}
