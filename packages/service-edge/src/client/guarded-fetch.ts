/**
 * The only way out of the bank: to OCSP responders and CRLs, whose URLs come from certificates of trusted authorities outside
 * the bank, and to the keys of applications, whose URLs come from TPPs. It owns which addresses may be connected to, the
 * number of connections, and the limits on an answer's time, size and form. It does not know what the bytes mean.
 */
import { type Dispatcher, request } from "undici";
import { afterLimit, expiryOf } from "../turns/expiry.ts";
import { createGuardedAgent } from "./guarded-agent.ts";
import { OutsideFetchError } from "./outside-fetch-error.ts";
import { isPublicAddress } from "./public-address.ts";
import { createQuestionSlots, type InSlot } from "./question-slots.ts";
import { createNameResolution, type ResolveName } from "./resolve-name.ts";

/** One question to a source outside the bank. */
export interface OutsideQuestion {
  /** http or https, without credentials. */
  readonly url: URL;
  /** Body to send by POST; undefined asks by GET. */
  readonly body: Buffer | undefined;
  /** Media type of `body`. */
  readonly contentType: string | undefined;
  readonly accept: string;
  /** Most octets of an answer that are read. */
  readonly limitOctets: number;
  /** Time limit from the call, name resolution included, to the last octet. */
  readonly limitMilliseconds: number;
}

/** Asks sources outside the bank. */
export interface GuardedFetch {
  /** Returns the octets of a 200 answer of any media type; every other outcome rejects with an `OutsideFetchError`. */
  fetch(question: OutsideQuestion): Promise<Buffer>;
  /** Aborts the questions under way. */
  close(): Promise<void>;
}

/** Options that say where a guarded fetch may go. */
export interface GuardedFetchOptions {
  /** Whether sources on loopback and private networks may be asked too. */
  readonly allowsPrivateAddresses: boolean;
  /** PEM of the authorities that certify https sources; by default those that Node trusts. */
  readonly authorities?: readonly string[];
  /** Whether redirects of a GET are followed, at most twice; true by default. */
  readonly followsRedirects?: boolean;
  /** Looks up a name for each connection; by default the machine's resolver, two names at once. */
  readonly lookUp?: ResolveName;
  /** For tests, which own no public address: says which addresses count as public. */
  readonly isPublic?: (address: string) => boolean;
  /** For tests: a resolver of names in place of the machine's. */
  readonly resolve?: ResolveName;
}

/** A separate set of connections for each kind of question. */
interface WayOut {
  readonly agent: Dispatcher;
  readonly inSlot: InSlot;
  readonly maxRedirects: number;
}

const MAX_REDIRECTS = 2;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Opens the process's way out. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { allowsPrivateAddresses, isPublic = isPublicAddress } = options;
  const admits = allowsPrivateAddresses ? () => true : isPublic;
  const guard = { admits, resolve: options.lookUp ?? createNameResolution(options.resolve) };
  const maxRedirects = options.followsRedirects === false ? 0 : MAX_REDIRECTS;
  const open = (): WayOut => ({
    agent: createGuardedAgent(guard, options.authorities),
    inSlot: createQuestionSlots(),
    maxRedirects,
  });
  // A stalled OCSP responder may share its host with the CRL that replaces its answer.
  const [posts, gets] = [open(), open()];
  return {
    fetch: (question) => askInTime(question.body === undefined ? gets : posts, question),
    close: async () => {
      await Promise.all([posts.agent.destroy(), gets.agent.destroy()]);
    },
  };
}

async function askInTime(wayOut: WayOut, question: OutsideQuestion): Promise<Buffer> {
  const ending = new AbortController();
  const { limitMilliseconds } = question;
  const expired = new OutsideFetchError(`no complete answer within ${limitMilliseconds} ms`);
  const limit = afterLimit(limitMilliseconds, () => ending.abort(expired));
  try {
    return await Promise.race([ask(wayOut, question, ending.signal), expiryOf(ending.signal)]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const status = cause instanceof OutsideFetchError ? cause.status : undefined;
    throw new OutsideFetchError(`${question.url.host}: ${reason}`, { cause, ...(status && { status }) });
  } finally {
    clearTimeout(limit);
    // Stop reading what is left of the answer.
    ending.abort();
  }
}

async function ask(wayOut: WayOut, question: OutsideQuestion, signal: AbortSignal): Promise<Buffer> {
  let { url } = question;
  const { maxRedirects } = wayOut;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    requireAskable(url);
    const found = await wayOut.inSlot(url.host, async () => {
      const answer = await request(url, { ...presentQuestion(question), dispatcher: wayOut.agent, signal });
      return REDIRECTS.has(answer.statusCode) ? redirectOf(answer, url) : readAnswer(answer, question);
    });
    if (Buffer.isBuffer(found)) return found;
    if (question.body !== undefined) throw new OutsideFetchError("a POST request was redirected");
    url = found;
  }
  throw new OutsideFetchError(`more than ${maxRedirects} redirects`);
}

function requireAskable({ protocol, username, password }: URL): void {
  if (protocol !== "http:" && protocol !== "https:")
    throw new OutsideFetchError(`${protocol} is not http or https`);
  if (username !== "" || password !== "") throw new OutsideFetchError("the URL has credentials");
}

function presentQuestion({ body, contentType, accept }: OutsideQuestion) {
  // Compressed content could be a thousand times larger than the octets counted.
  const headers = { accept, "accept-encoding": "identity" };
  if (body === undefined) return { method: "GET" as const, headers };
  return { method: "POST" as const, headers: { ...headers, "content-type": contentType ?? "" }, body };
}

function redirectOf({ headers, statusCode }: Dispatcher.ResponseData, from: URL): URL {
  const location = String(headers.location ?? "");
  if (location === "" || !URL.canParse(location, from.href))
    throw new OutsideFetchError(`status ${statusCode} without a valid Location`);
  const url = new URL(location, from);
  if (from.protocol === "https:" && url.protocol !== "https:")
    throw new OutsideFetchError(`a redirect from https to ${url.protocol}`);
  return url;
}

async function readAnswer(
  answer: Dispatcher.ResponseData,
  { limitOctets }: OutsideQuestion,
): Promise<Buffer> {
  const { statusCode, headers, body } = answer;
  if (statusCode !== 200) throw new OutsideFetchError(`status ${statusCode}`, { status: statusCode });
  const encoding = String(headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding !== "identity") throw new OutsideFetchError(`the answer is encoded as ${encoding}`);
  const tooLarge = new OutsideFetchError(`the answer has more than ${limitOctets} octets`);
  if (Number(headers["content-length"] ?? 0) > limitOctets) throw tooLarge;
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of body) {
    octets += chunk.length;
    if (octets > limitOctets) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
