import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { KeyPairFiles } from "@cobs/service-edge";
import { type ReopenableServer, startReopenableServer } from "./reopenable-server.ts";
import { startTestFeed, type TestFeed } from "./test-feed.ts";
import { startTestSigning, type TestSigning } from "./test-signing.ts";
import { startTestSigningKeys, type TestSigningKeys, type UnsignedAnswer } from "./test-signing-keys.ts";
import { startTestStopList, type TestStopList } from "./test-stop-list.ts";

/**
 * The bank listener of an authorization server, as far as resource uses it: introspection (RFC 7662) answered as in RFC 9701,
 * the stop list, the event feed, and signing requests.
 */
export interface IntrospectionServer
  extends Omit<ReopenableServer, "port">,
    Omit<TestStopList, "read">,
    Pick<TestSigningKeys, "dropFirstKey" | "rotateKey" | "signWithForeignKey">,
    Answering {
  readonly url: string;
  readonly feed: TestFeed;
  readonly signing: TestSigning;
}

/** What the server knows, was asked, and is told to answer. */
interface Answering {
  /** Claims of each token that the server knows; any other token is inactive. */
  readonly tokens: Map<string, Record<string, unknown>>;
  /** The consent to a card issuer, by `<organisation identifier> <IBAN>`; a missing entry means no consent. */
  readonly cardConsents: Map<
    string,
    { readonly id: string; readonly psu: string; readonly accountId: string }
  >;
  /** Number of look-ups of card consents. */
  cardConsentLookUps: number;
  /** Serial numbers of the callers' certificates. */
  readonly callers: Set<string>;
  /** The form of each introspection, in order. */
  readonly asked: URLSearchParams[];
  /** The headers of each call about an approval, in order. */
  readonly signingHeaders: IncomingHttpHeaders[];
  /** Replaces the whole stop list. */
  writeStopList: (() => Written) | undefined;
  /** Replaces the whole answers of the event feed. */
  writeEvents: (() => Written) | undefined;
  /** Number of fetches of the stop list. */
  stopListFetches: number;
  /** Number of fetches of the key set. */
  keyFetches: number;
  /** Changes each answer before it is signed. */
  alter: (answer: UnsignedAnswer) => UnsignedAnswer;
  /** Replaces the whole signed answer. */
  write: ((jwt: string) => Written) | undefined;
  /** Answers wait for this promise. */
  hold: Promise<void>;
  /** The key set is written, then waits for this promise before it is sent. */
  holdKeys: Promise<void>;
}

interface Written {
  readonly status: number;
  readonly body: string;
}

export interface IntrospectionServerOptions {
  readonly keyPair: KeyPairFiles;
  readonly authority: string;
  readonly issuer: string;
  readonly audience: string;
  readonly now: () => Date;
}

/** What the answers are made of. */
interface Parts {
  readonly answering: Answering;
  readonly feed: TestFeed;
  readonly keys: TestSigningKeys;
  readonly stopList: TestStopList;
  readonly signing: TestSigning;
  readonly options: IntrospectionServerOptions;
}

type Answer = (parts: Parts, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Starts the server on a free port of loopback; callers need a certificate of the private CA. */
export async function startIntrospectionServer(
  options: IntrospectionServerOptions,
): Promise<IntrospectionServer> {
  const feed = startTestFeed();
  const keys = await startTestSigningKeys(feed);
  const stopList = startTestStopList(feed);
  const signing = startTestSigning(feed, options.now);
  const answering = answeringAsItShould();
  const parts: Parts = { answering, feed, keys, stopList, signing, options };
  const { port, close, breakConnections, reopen } = await startReopenableServer(
    tlsOf(options),
    (request, response) => {
      answer(parts, request, response).catch(() => response.destroy());
    },
  );
  const { rotateKey, dropFirstKey, signWithForeignKey } = keys;
  return Object.assign(answering, {
    ...{ url: `https://localhost:${port}`, feed, signing },
    ...{ rotateKey, dropFirstKey, signWithForeignKey },
    ...{ close, breakConnections, reopen },
    ...stopList,
  });
}

function tlsOf({ keyPair, authority }: IntrospectionServerOptions) {
  const files = { cert: readFileSync(keyPair.certificateFile), key: readFileSync(keyPair.keyFile) };
  return { ...files, ca: authority, requestCert: true, rejectUnauthorized: true };
}

function answeringAsItShould(): Answering {
  return {
    tokens: new Map(),
    cardConsents: new Map(),
    cardConsentLookUps: 0,
    callers: new Set(),
    asked: [],
    signingHeaders: [],
    writeEvents: undefined,
    writeStopList: undefined,
    stopListFetches: 0,
    keyFetches: 0,
    alter: (unsigned) => unsigned,
    write: undefined,
    hold: Promise.resolve(),
    holdKeys: Promise.resolve(),
  };
}

/** What answers each path; the first that fits. */
const ANSWERS: readonly (readonly [RegExp, Answer])[] = [
  [/^\/oauth\/jwks$/, answerKeys],
  [/^\/stop-list$/, cuttable(answerStopList)],
  [/^\/events\?/, cuttable(answerEvents)],
  [/^\/card-consents\?/, answerCardConsent],
  [/^\/(signing-requests|known-signing-requests|payment-consents)/, answerSigning],
  [/^/, answerIntrospection],
];

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket, url = "" } = request;
  if (socket instanceof TLSSocket) parts.answering.callers.add(socket.getPeerCertificate().serialNumber);
  const [, found] = ANSWERS.find(([path]) => path.test(url)) ?? [];
  await found?.(parts, request, response);
}

/** Breaks the connection instead while the feed is cut. */
function cuttable(answer: Answer): Answer {
  return async (parts, request, response) => {
    if (parts.feed.isCut) response.destroy();
    else await answer(parts, request, response);
  };
}

async function answerKeys({ answering, keys }: Parts, _: IncomingMessage, response: ServerResponse) {
  answering.keyFetches += 1;
  const body = JSON.stringify({ keys: keys.published });
  await answering.holdKeys;
  response.end(body);
}

async function answerIntrospection(parts: Parts, request: IncomingMessage, response: ServerResponse) {
  const { answering, feed, keys } = parts;
  const form = new URLSearchParams(await bodyOf(request));
  answering.asked.push(form);
  const position = String(feed.head);
  const jwt = await keys.sign(answering.alter(unsignedAnswer(parts, form.get("token") ?? "")));
  await answering.hold;
  const { status, body } = answering.write?.(jwt) ?? { status: 200, body: jwt };
  const headers = { "content-type": "application/token-introspection+jwt", "feed-position": position };
  response.writeHead(status, headers).end(body);
}

function unsignedAnswer({ answering, keys, options }: Parts, token: string): UnsignedAnswer {
  return {
    header: { alg: "ES256", typ: "token-introspection+jwt", kid: keys.kid },
    claims: {
      iss: options.issuer,
      aud: options.audience,
      iat: Math.floor(options.now().getTime() / 1000),
      token_introspection: answering.tokens.get(token) ?? { active: false },
    },
  };
}

async function answerSigning(
  { answering, signing }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  answering.signingHeaders.push(request.headers);
  const answered = signing.answer(request.method ?? "", request.url ?? "", await bodyOf(request));
  if (answered === undefined) response.destroy();
  else writeJson(response, answered);
}

async function answerCardConsent(
  { answering, feed }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  answering.cardConsentLookUps += 1;
  const asked = queryOf(request);
  const key = `${asked.get("organisationIdentifier")} ${asked.get("iban")}`;
  const json = JSON.stringify({ consent: answering.cardConsents.get(key) ?? null });
  const position = String(feed.head);
  await answering.hold;
  writeJson(response, answering.write?.(json) ?? { status: 200, body: json }, { "feed-position": position });
}

async function answerStopList({ answering, stopList }: Parts, _: IncomingMessage, response: ServerResponse) {
  answering.stopListFetches += 1;
  const right = { status: 200, body: JSON.stringify(stopList.read()) };
  writeJson(response, answering.writeStopList?.() ?? right);
}

async function answerEvents({ answering, feed }: Parts, request: IncomingMessage, response: ServerResponse) {
  const asked = queryOf(request);
  const batch = await feed.after(Number(asked.get("after")), asked.get("mark"), Number(asked.get("wait")));
  if (feed.isCut) return void response.destroy();
  const right =
    batch === undefined ? { status: 410, body: "{}" } : { status: 200, body: JSON.stringify(batch) };
  writeJson(response, answering.writeEvents?.() ?? right);
}

function writeJson(response: ServerResponse, { status, body }: Written, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  return new URL(url, "https://localhost").searchParams;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Holds answers back until the returned function is called. */
export function holdAnswers(auth: Pick<IntrospectionServer, "hold">): () => void {
  let release = () => {};
  auth.hold = new Promise((resolve) => {
    release = resolve;
  });
  return () => release();
}
