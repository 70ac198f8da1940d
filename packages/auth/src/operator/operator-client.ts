import { type RequestOptions, request } from "node:https";
import type { KeyPair } from "@cobs/service-edge/configuration";
import { CommandRefusal } from "./command-refusal.ts";

/** URLs of the bank listeners, and the operator's identity. */
export interface OperatorConfiguration {
  readonly authUrl: URL;
  /** Undefined when resource is not asked. */
  readonly resourceUrl: URL | undefined;
  readonly identity: KeyPair;
  /** PEM of the private CA. */
  readonly authority: string;
}

/** One call of the operator API. */
export interface OperatorCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: "application/json" | "text/plain";
  /** Time limit of the answer; ten seconds by default. */
  readonly timeoutMilliseconds?: number;
}

/** Sends a call and returns the body of a successful answer; throws a `CommandRefusal` otherwise. */
export type OperatorClient = (call: OperatorCall) => Promise<string>;

/** The operator API of each service. */
export interface OperatorClients {
  readonly auth: OperatorClient;
  readonly resource: OperatorClient | undefined;
}

const TIMEOUT_MILLISECONDS = 10_000;
/** Time limit of an order that ends very much at once or nothing, such as an application with more than a million consents. */
export const END_LIMIT_MILLISECONDS = 600_000;

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** Creates clients that present the operator's certificate and trust only servers of the private CA. */
export function createOperatorClients(config: OperatorConfiguration): OperatorClients {
  const tls = {
    ca: config.authority,
    cert: config.identity.certificate,
    key: config.identity.key.reveal(),
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise apply.
    rejectUnauthorized: true,
  };
  return {
    auth: createClient({ name: "auth", variable: "OPERATOR_URL", url: config.authUrl }, tls),
    resource:
      config.resourceUrl &&
      createClient({ name: "resource", variable: "RESOURCE_BANK_URL", url: config.resourceUrl }, tls),
  };
}

/** A service, and the variable that names its bank listener. */
interface AskedService {
  readonly name: "auth" | "resource";
  readonly variable: string;
  readonly url: URL;
}

function createClient(service: AskedService, tls: RequestOptions): OperatorClient {
  return async ({ method, path, body, accept = "application/json", timeoutMilliseconds }) => {
    const headers = { accept, ...(body !== undefined && { "content-type": "application/json" }) };
    const options = { ...tls, agent: false, method, headers } as const;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const limit = timeoutMilliseconds ?? TIMEOUT_MILLISECONDS;
    const answer = await within(limit, (deadline) =>
      send(new URL(path, service.url), { ...options, signal: deadline }, text),
    ).catch((error: unknown) => {
      throw unreachable(service, error);
    });
    if (answer.status < 300) return answer.body;
    throw refusalOf(service.name, answer);
  };
}

/**
 * Limits the time from the connection to the last octet: a service that sends a little now and then would never hit an idle
 * timeout.
 */
async function within<T>(milliseconds: number, ask: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    return await ask(deadline);
  } catch (error) {
    throw deadline.aborted ? new Error(`no answer within ${milliseconds / 1000} s`) : error;
  }
}

function send(url: URL, options: RequestOptions, body: string | undefined): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

function unreachable({ name, variable, url }: AskedService, error: unknown): CommandRefusal {
  const why = error instanceof Error ? error.message || error.name : String(error);
  const hint = `Check that ${name} is running, that ${variable} is its bank listener, and that the operator's certificate and BANK_AUTHORITY_FILE belong to the private CA.`;
  return new CommandRefusal("unreachable", `${url.origin} cannot be reached: ${why}`, { hint });
}

/** Statuses of temporary failures: the same order may succeed a moment later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Builds a refusal from the title and detail of problem details (RFC 9457); any other body is not repeated. */
function refusalOf(service: string, { status, body }: RawAnswer): CommandRefusal {
  const problem = parseProblem(body);
  const words = [problem.title, problem.detail].filter((part) => typeof part === "string");
  const why = `(${status}): ${words.length === 0 ? "no reason given" : words.join(": ")}`;
  if (PASSING_STATUSES.has(status))
    return new CommandRefusal("unreachable", `${service} cannot answer now ${why}`);
  return new CommandRefusal(status === 404 ? "not_found" : "refused", `${service} refused ${why}`);
}

function parseProblem(text: string): { readonly title?: unknown; readonly detail?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
