import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { TLSSocket } from "node:tls";
import type { KeyPairFiles } from "@cobs/service-edge";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { freePort } from "./free-port.ts";
import { startTestFeed, type TestFeed } from "./test-feed.ts";
import { startTestSigning, type TestSigning } from "./test-signing.ts";

/** Content of one answer before it is signed. */
export interface UnsignedAnswer {
  readonly header: { alg: string; typ?: string; kid?: string };
  readonly claims: JWTPayload;
}

/**
 * The bank listener of an authorization server, as far as resource uses it: introspection (RFC 7662) answered as in RFC 9701,
 * the stop list, the event feed, and signing requests.
 */
export interface IntrospectionServer {
  readonly url: string;
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
  readonly feed: TestFeed;
  readonly signing: TestSigning;
  /** The headers of each call about an approval, in order. */
  readonly signingHeaders: IncomingHttpHeaders[];
  /** Blocks a TPP by its organisation identifier, and adds an event to the feed. */
  block(organisationIdentifier: string): void;
  release(organisationIdentifier: string): void;
  blockCertificate(thumbprint: string): void;
  releaseCertificate(thumbprint: string): void;
  /** Replaces the whole stop list. */
  writeStopList: (() => { status: number; body: string }) | undefined;
  /** Replaces the whole answers of the event feed. */
  writeEvents: (() => { status: number; body: string }) | undefined;
  /** Number of fetches of the stop list. */
  stopListFetches: number;
  /** Number of fetches of the key set. */
  keyFetches: number;
  /** Changes each answer before it is signed. */
  alter: (answer: UnsignedAnswer) => UnsignedAnswer;
  /** Replaces the whole signed answer. */
  write: ((jwt: string) => { status: number; body: string }) | undefined;
  /** Answers wait for this promise. */
  hold: Promise<void>;
  /** The key set is written, then waits for this promise before it is sent. */
  holdKeys: Promise<void>;
  /** Signs with a new key under another name from now on; the key set has both. */
  rotateKey(): Promise<void>;
  /** Removes the first key, which still signs, from the key set, and adds an event to the feed. */
  dropFirstKey(): void;
  /** Signs with a key that is not in the key set, under the name of one that is. */
  signWithForeignKey(): Promise<void>;
  close(): Promise<void>;
  /** Breaks every connection, as when one of several processes is killed; accepts new ones. */
  breakConnections(): void;
  /** Listens again on its former port. */
  reopen(): Promise<void>;
}

export interface IntrospectionServerOptions {
  readonly keyPair: KeyPairFiles;
  readonly authority: string;
  readonly issuer: string;
  readonly audience: string;
  readonly now: () => Date;
}

/** Starts the server on a free port of loopback; callers need a certificate of the private CA. */
export async function startIntrospectionServer(
  options: IntrospectionServerOptions,
): Promise<IntrospectionServer> {
  const published: Record<string, unknown>[] = [];
  let signingKey = await newKey("k1");
  published.push(signingKey.jwk);

  async function newKey(kid: string) {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", alg: "ES256" } };
  }

  const feed = startTestFeed();
  const signing = startTestSigning(feed, options.now);
  const blocked = { organisationIdentifiers: new Set<string>(), thumbprints: new Set<string>() };

  async function signed(token: string): Promise<string> {
    const description = running.tokens.get(token) ?? { active: false };
    const { header, claims } = running.alter({
      header: { alg: "ES256", typ: "token-introspection+jwt", kid: signingKey.kid },
      claims: {
        iss: options.issuer,
        aud: options.audience,
        iat: Math.floor(options.now().getTime() / 1000),
        token_introspection: description,
      },
    });
    if (header.alg === "none") return `${encoded(header)}.${encoded(claims)}.`;
    return new SignJWT(claims).setProtectedHeader(header).sign(signingKey.privateKey);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.socket instanceof TLSSocket)
      running.callers.add(request.socket.getPeerCertificate().serialNumber);
    if (request.url === "/oauth/jwks") {
      running.keyFetches += 1;
      const keys = JSON.stringify({ keys: published });
      await running.holdKeys;
      return void response.end(keys);
    }
    if (feed.isCut && /^\/(stop-list|events)/.test(request.url ?? "")) return void response.destroy();
    if (request.url?.startsWith("/card-consents?"))
      return answerCardConsent(new URL(request.url, running.url), response);
    if (request.url === "/stop-list") return answerStopList(response);
    if (request.url?.startsWith("/events?")) return answerEvents(new URL(request.url, running.url), response);
    if (/^\/(signing-requests|known-signing-requests|payment-consents)/.test(request.url ?? ""))
      return answerSigning(request, response);
    const form = new URLSearchParams(await bodyOf(request));
    running.asked.push(form);
    const position = String(feed.head);
    const jwt = await signed(form.get("token") ?? "");
    await running.hold;
    const { status, body } = running.write?.(jwt) ?? { status: 200, body: jwt };
    const headers = { "content-type": "application/token-introspection+jwt", "feed-position": position };
    response.writeHead(status, headers).end(body);
  }

  async function answerSigning(request: IncomingMessage, response: ServerResponse): Promise<void> {
    running.signingHeaders.push(request.headers);
    const answered = signing.answer(request.method ?? "", request.url ?? "", await bodyOf(request));
    if (answered === undefined) return void response.destroy();
    response.writeHead(answered.status, { "content-type": "application/json" }).end(answered.body);
  }

  async function answerCardConsent({ searchParams }: URL, response: ServerResponse): Promise<void> {
    running.cardConsentLookUps += 1;
    const key = `${searchParams.get("organisationIdentifier")} ${searchParams.get("iban")}`;
    const json = JSON.stringify({ consent: running.cardConsents.get(key) ?? null });
    const headers = { "content-type": "application/json", "feed-position": String(feed.head) };
    await running.hold;
    const { status, body } = running.write?.(json) ?? { status: 200, body: json };
    response.writeHead(status, headers).end(body);
  }

  function answerStopList(response: ServerResponse): void {
    running.stopListFetches += 1;
    const { organisationIdentifiers, thumbprints } = blocked;
    const list = {
      position: feed.head,
      mark: feed.mark,
      organisationIdentifiers: [...organisationIdentifiers],
      thumbprints: [...thumbprints],
    };
    const { status, body } = running.writeStopList?.() ?? { status: 200, body: JSON.stringify(list) };
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }

  async function answerEvents({ searchParams }: URL, response: ServerResponse): Promise<void> {
    const [after, wait] = [Number(searchParams.get("after")), Number(searchParams.get("wait"))];
    const batch = await feed.after(after, searchParams.get("mark"), wait);
    if (feed.isCut) return void response.destroy();
    const right =
      batch === undefined ? { status: 410, body: "{}" } : { status: 200, body: JSON.stringify(batch) };
    const { status, body } = running.writeEvents?.() ?? right;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }

  let server = createTlsServer(options, answer);
  // A port from the system's ephemeral range could belong to another process when the server reopens.
  const port = await freePort();
  await listen(server, port);
  const running: IntrospectionServer = {
    url: `https://localhost:${port}`,
    tokens: new Map(),
    cardConsents: new Map(),
    cardConsentLookUps: 0,
    callers: new Set(),
    asked: [],
    feed,
    signing,
    signingHeaders: [],
    block: (organisationIdentifier) => {
      blocked.organisationIdentifiers.add(organisationIdentifier);
      feed.tell("tpp_blocked", organisationIdentifier);
    },
    release: (organisationIdentifier) => {
      blocked.organisationIdentifiers.delete(organisationIdentifier);
      feed.tell("tpp_released", organisationIdentifier);
    },
    blockCertificate: (thumbprint) => {
      blocked.thumbprints.add(thumbprint);
      feed.tell("certificate_blocked", thumbprint);
    },
    releaseCertificate: (thumbprint) => {
      blocked.thumbprints.delete(thumbprint);
      feed.tell("certificate_released", thumbprint);
    },
    writeEvents: undefined,
    writeStopList: undefined,
    stopListFetches: 0,
    keyFetches: 0,
    alter: (unsigned) => unsigned,
    write: undefined,
    hold: Promise.resolve(),
    holdKeys: Promise.resolve(),
    rotateKey: async () => {
      signingKey = await newKey(`k${published.length + 1}`);
      published.push(signingKey.jwk);
    },
    dropFirstKey: () => {
      const [dropped] = published.splice(0, 1);
      feed.tell("signing_key_dropped", String(dropped?.kid));
    },
    signWithForeignKey: async () => {
      signingKey = await newKey(signingKey.kid);
    },
    close: () => close(server),
    breakConnections: () => server.closeAllConnections(),
    reopen: async () => {
      server = createTlsServer(options, answer);
      await listen(server, port);
    },
  };
  return running;
}

function createTlsServer(
  { keyPair, authority }: IntrospectionServerOptions,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const files = { cert: readFileSync(keyPair.certificateFile), key: readFileSync(keyPair.keyFile) };
  const tls = { ...files, ca: authority, requestCert: true, rejectUnauthorized: true };
  return createServer(tls, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

const CUT_AGAIN_MILLISECONDS = 50;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is still in its handshake would appear a moment later, and stay in use for ever.
    const cutting = setInterval(() => server.closeAllConnections(), CUT_AGAIN_MILLISECONDS);
    server.close(() => {
      clearInterval(cutting);
      resolve();
    });
    server.closeAllConnections();
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Holds answers back until the returned function is called. */
export function holdAnswers(auth: Pick<IntrospectionServer, "hold">): () => void {
  let release = () => {};
  auth.hold = new Promise((resolve) => {
    release = resolve;
  });
  return () => release();
}
