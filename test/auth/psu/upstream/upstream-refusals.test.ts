import { parsePsuId } from "@cobs/cobs-model";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { generateKeyPair, type JWTPayload, UnsecuredJWT } from "jose";
import { movableClock } from "../../../support/movable-clock.ts";
import { rejectionOf } from "../../../support/rejection.ts";
import { startWaiting } from "../../../support/stopwatch.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { CLIENT_SECRET, STRONG } from "./bank-provider.ts";
import { type HandMadeUpstream, handMadeUpstream, settingsOf } from "./hand-made-upstream.ts";
import {
  type HostileProvider,
  signWith,
  startHostileProvider,
  type TokenAnswer,
  tokenAnswer,
} from "./hostile-provider.ts";

const now = () => Math.floor(Date.now() / 1000);
const REFUSED = { outcome: "refused" };
/** Levels of the log (pino). */
const [WARN, ERROR] = [40, 50];

describe("An answer of the bank's OpenID provider", () => {
  let provider: HostileProvider;
  let upstream: HandMadeUpstream;
  before(async () => {
    provider = await startHostileProvider((await testCertificates()).server.resourceBank);
  });
  after(() => provider.close());
  beforeEach(async () => {
    provider.metadata = {};
    provider.key = {};
    provider.keysAnswer = undefined;
    upstream = handMadeUpstream(await settingsOf(provider.issuer));
  });
  afterEach(() => upstream.close());

  const right = () => ({ code: "a-code", state: "state-1", iss: provider.issuer });

  /** Comes back from a sign-in whose code gives what is made of the right claims. */
  async function redeem(answer: (claims: JWTPayload) => Promise<TokenAnswer | undefined>, back = right()) {
    const { memory, asked } = await upstream.begin();
    const claims = provider.claims(asked.get("nonce") ?? "");
    provider.redeem = () => answer(claims);
    return upstream.comeBack(memory, back);
  }

  const withClaims = (changed: Readonly<Record<string, unknown>>) =>
    redeem(async (claims) => {
      const made = { ...claims, ...changed };
      return tokenAnswer(await provider.sign(JSON.parse(JSON.stringify(made))));
    });

  it("is requested with acr_values, and with essential claims if the provider takes them (OIDC Core 5.5.1.1)", async () => {
    const plain = (await upstream.begin()).asked;
    expect([plain.get("acr_values"), plain.get("claims")]).to.deep.equal([STRONG, null]);
    await upstream.close();
    provider.metadata = { claims_parameter_supported: true };
    upstream = handMadeUpstream(await settingsOf(provider.issuer, { psuClaim: "psu", nameClaim: "nick" }));
    const { asked } = await upstream.begin();
    expect(asked.get("acr_values")).to.equal(STRONG);
    expect(JSON.parse(asked.get("claims") ?? "")).to.deep.equal({
      id_token: {
        auth_time: { essential: true },
        nick: null,
        psu: { essential: true },
        acr: { essential: true, values: [STRONG] },
      },
    });
  });

  it("signs in the PSU whom its claim names, when everything is right", async () => {
    const auth_time = Math.floor(Date.now() / 1000) - 10;
    expect(await withClaims({ auth_time, azp: "open-banking" })).to.deep.equal({
      outcome: "signed-in",
      psu: "bank-0042",
      methods: ["upstream"],
      authenticatedAt: new Date(auth_time * 1000),
    });
    expect(await upstream.login.find(parsePsuId("bank-0042"))).to.deep.include({ displayName: "Jana" });
    expect(await upstream.login.find(parsePsuId("bank-0043"))).to.equal(undefined);
  });

  it("names the PSU by another claim if configured, and shows the id if there is no name", async () => {
    await upstream.close();
    const psuClaim = "https://bank.example/psu";
    upstream = handMadeUpstream(await settingsOf(provider.issuer, { psuClaim }));
    expect(await withClaims({ [psuClaim]: "psu-7", name: " \0 " })).to.deep.include({ psu: "psu-7" });
    expect(await upstream.login.find(parsePsuId("psu-7"))).to.deep.include({ displayName: "psu-7" });
    expect(await withClaims({})).to.deep.equal(REFUSED);
    expect(upstream.refusals()).to.deep.equal(["psu_unusable"]);
  });

  const WRONG_CLAIMS: readonly [string, () => Readonly<Record<string, unknown>>, string][] = [
    ["of another issuer", () => ({ iss: "https://localhost:1" }), "answer_untrusted"],
    ["for another audience", () => ({ aud: "another-client" }), "answer_untrusted"],
    ["for several, with another azp", () => ({ aud: ["open-banking", "b"], azp: "b" }), "answer_untrusted"],
    ["with another azp", () => ({ azp: "b" }), "answer_untrusted"],
    ["with a list as azp", () => ({ azp: ["open-banking"] }), "answer_untrusted"],
    ["with another nonce", () => ({ nonce: "another" }), "answer_untrusted"],
    ["without nonce", () => ({ nonce: undefined }), "answer_untrusted"],
    ["that has expired", () => ({ exp: now() - 60 }), "answer_untrusted"],
    ["without exp", () => ({ exp: undefined }), "answer_untrusted"],
    ["issued long ago", () => ({ iat: now() - 600 }), "answer_untrusted"],
    ["issued in the future", () => ({ iat: now() + 600 }), "answer_untrusted"],
    ["with nbf in the future", () => ({ nbf: now() + 600 }), "answer_untrusted"],
    ["without auth_time", () => ({ auth_time: undefined }), "not_fresh"],
    ["with an auth_time of text", () => ({ auth_time: String(now()) }), "answer_untrusted"],
    ["of an old authentication", () => ({ auth_time: now() - 301 }), "not_fresh"],
    ["of an authentication before the question", () => ({ auth_time: now() - 60 }), "not_fresh"],
    ["of an authentication to come", () => ({ auth_time: now() + 60 }), "not_fresh"],
    ["without acr", () => ({ acr: undefined }), "acr_insufficient"],
    ["with a lower acr", () => ({ acr: "urn:bank.example:password" }), "acr_insufficient"],
    ["with an acr that only contains the right one", () => ({ acr: `${STRONG} ` }), "acr_insufficient"],
    ["with a list of acr", () => ({ acr: [STRONG] }), "acr_insufficient"],
    ["without subject", () => ({ sub: undefined }), "answer_untrusted"],
    ["with a subject that is no id of a PSU", () => ({ sub: "../psu" }), "psu_unusable"],
    ["with an endless subject", () => ({ sub: "a".repeat(65) }), "psu_unusable"],
  ];
  /** Where the provider's word is proven, and is not enough: the audit log has then whom it was for. */
  const NAMES_PSU = new Set(["acr_insufficient", "not_fresh"]);
  for (const [what, changed, code] of WRONG_CLAIMS)
    it(`is refused with an ID token ${what} (OIDC Core 3.1.3.7)`, async () => {
      const named = NAMES_PSU.has(code) ? { psu: parsePsuId("bank-0042") } : {};
      expect(await withClaims(changed())).to.deep.equal({ ...REFUSED, ...named });
      expect(upstream.refusals()).to.deep.equal([code]);
    });

  it("may have an ID token that the provider took its time to issue", async () => {
    await upstream.close();
    const clock = movableClock();
    upstream = handMadeUpstream(await settingsOf(provider.issuer), clock);
    const answer = await redeem(async (claims) => {
      clock.advance(20_000);
      return tokenAnswer(await provider.sign({ ...claims, iat: now() + 40 }));
    });
    expect(answer).to.include({ outcome: "signed-in" });
  });

  const TOLD: readonly [Readonly<Record<string, unknown>>, string][] = [
    [
      { auth_time: String(now()) },
      'OAUTH_INVALID_RESPONSE: ID Token "auth_time" (authentication time) must be a number',
    ],
    [
      { aud: "another-client" },
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED: unexpected JWT "aud" (audience) claim value',
    ],
    [{ acr: [STRONG] }, `acr ["${STRONG}"]`],
    [
      { sub: "jana@bank.example" },
      "the claim with the PSU's id is missing or is not a string of 1 to 64 letters, digits, - and _",
    ],
  ];
  for (const [changed, detail] of TOLD)
    it(`is logged with what is wrong with ${Object.keys(changed)}, for the bank to mend it`, async () => {
      await withClaims(changed);
      expect(upstream.logLines.at(-1)).to.include({ detail });
    });

  it("is refused with a sub that is a number", async () => {
    const number = { ...provider.claims(""), sub: 42 };
    const outcome = await redeem(async ({ nonce }) =>
      tokenAnswer(await provider.sign(JSON.parse(JSON.stringify({ ...number, nonce })))),
    );
    expect(outcome).to.deep.equal(REFUSED);
  });

  it("is refused when signed with another key or our own secret, or unsigned (RFC 8725 2.1)", async () => {
    const other = await generateKeyPair("ES256");
    const secret = new TextEncoder().encode(CLIENT_SECRET);
    const forgers: readonly ((claims: JWTPayload) => Promise<string>)[] = [
      (claims) => signWith(other.privateKey, "ES256", claims),
      async (claims) => new UnsecuredJWT(claims).encode(),
      (claims) => signWith(secret, "HS256", claims),
      async (claims) => (await provider.sign(claims)).replace(/.{8}$/, "AAAAAAAA"),
      async (claims) => `${await provider.sign(claims)}.a.b`,
    ];
    for (const forge of forgers)
      expect(await redeem(async (claims) => tokenAnswer(await forge(claims)))).to.deep.equal(REFUSED);
    expect(upstream.refusals()).to.deep.equal(forgers.map(() => "answer_untrusted"));
  });

  it("is refused with an ID token that is no JWT, as with every other that is wrong (RFC 7519 7.2)", async () => {
    const unreadable: readonly ((idToken: string) => string)[] = [
      (idToken) => idToken.replace(/^[^.]+/, "bm8ganNvbg"),
      (idToken) => idToken.replace(/^[^.]+/, "%"),
      (idToken) => idToken.replace(/\.[^.]+\./, ".bm8ganNvbg."),
      (idToken) => idToken.replace(/[^.]+$/, "%"),
      () => "bm8ganNvbg",
    ];
    for (const spoil of unreadable) {
      const answer = async (claims: JWTPayload) => tokenAnswer(spoil(await provider.sign(claims)));
      expect(await redeem(answer), String(spoil)).to.deep.equal(REFUSED);
    }
    expect(upstream.refusals()).to.deep.equal(unreadable.map(() => "answer_untrusted"));
  });

  it("is counted by its outcome, and one that never came is not", async () => {
    await withClaims({});
    await withClaims({ acr: undefined });
    for (const iat of [0, 1]) await withClaims({ iat });
    await rejectionOf(redeem(async () => ({ status: 500, body: "{}" })));
    expect(await upstream.answers()).to.deep.equal({ accepted: 1, acr_insufficient: 1, answer_untrusted: 2 });
  });

  it("is refused without an ID token", async () => {
    expect(await redeem(async () => tokenAnswer(undefined))).to.deep.equal(REFUSED);
  });

  it("is refused from another issuer or none, or with ambiguous parameters (RFC 9207 2.4)", async () => {
    const wrong: readonly string[] = [
      "code=a-code&state=state-1",
      `code=a-code&state=state-1&iss=${encodeURIComponent("https://evil.example")}`,
      `code=a-code&code=b&state=state-1&iss=${encodeURIComponent(provider.issuer)}`,
      `state=state-1&iss=${encodeURIComponent(provider.issuer)}`,
      `code=a-code&state=state-2&iss=${encodeURIComponent(provider.issuer)}`,
      `error=access_denied&state=state-1&iss=${encodeURIComponent("https://evil.example")}`,
    ];
    for (const query of wrong) {
      const { memory, asked } = await upstream.begin();
      const idToken = await provider.sign(provider.claims(asked.get("nonce") ?? ""));
      provider.redeem = async () => tokenAnswer(idToken);
      expect(await upstream.comeBack(memory, new URLSearchParams(query)), query).to.deep.equal(REFUSED);
    }
    expect(upstream.refusals()).to.deep.equal(wrong.map(() => "answer_untrusted"));
  });

  it("begins anew for a question under another sealing key, as after a leak, or one that was changed", async () => {
    const { memory } = await upstream.begin();
    expect(upstream.login.wrote(memory)).to.equal(true);
    const successor = handMadeUpstream(await settingsOf(provider.issuer));
    expect(successor.login.wrote(memory)).to.equal(false);
    await successor.close();
    for (const sealed of ["", "AAAA", `${memory.sealed}`.replace(/.$/, "")])
      expect(upstream.login.wrote({ ...memory, sealed }), sealed).to.equal(false);
  });

  it("is refused when it comes as a form", async () => {
    const { memory } = await upstream.begin();
    const answer = { kind: "form", fields: { username: ["jana"] } } as const;
    const circumstances = {
      now: new Date(),
      requestId: "request-1",
      language: "cs",
      device: undefined,
    } as const;
    expect(await upstream.login.take(memory, answer, circumstances)).to.deep.equal(REFUSED);
  });

  const DECLINED = ["access_denied", "login_required", "unmet_authentication_requirements"];
  const PASSING = ["server_error", "temporarily_unavailable"];
  for (const error of [...DECLINED, ...PASSING, "invalid_scope", "words of mine"])
    it(`is refused with the error ${error}, since nobody was authenticated (OIDC Core 3.1.2.6)`, async () => {
      const { memory } = await upstream.begin();
      const { state, iss } = right();
      expect(await upstream.comeBack(memory, { error, state, iss })).to.deep.equal(REFUSED);
      expect(upstream.refusals()).to.deep.equal(["declined"]);
      expect(upstream.logLines.at(-1)).to.include({ level: WARN, detail: error });
    });

  it("is refused when the provider rejects its code (RFC 6749 5.2)", async () => {
    const body = JSON.stringify({ error: "invalid_grant" });
    expect(await redeem(async () => ({ status: 400, body }))).to.deep.equal(REFUSED);
    expect(upstream.refusals()).to.deep.equal(["code_refused"]);
  });

  const REASONS: readonly [string, TokenAnswer, string][] = [
    [
      "with one",
      { status: 400, body: JSON.stringify({ error: "unauthorized_client" }) },
      "unauthorized_client",
    ],
    [
      "with an endless one",
      { status: 400, body: JSON.stringify({ error: "e".repeat(9_000) }) },
      "e".repeat(100),
    ],
    [
      "that it does not know this server, in a header (RFC 6749 5.2)",
      {
        status: 401,
        body: '{"error":"invalid_client"}',
        headers: { "www-authenticate": "Basic realm=bank" },
      },
      "invalid_client",
    ],
    [
      "with a status alone",
      { status: 503, body: '{"error":"temporarily_unavailable"}' },
      "unexpected HTTP response status code: 503 from /token",
    ],
    [
      "with a page",
      { status: 200, body: "<html>", headers: { "content-type": "text/html" } },
      "unexpected response content-type: 200 from /token",
    ],
    [
      "with half of the JSON",
      { status: 200, body: '{"access_token":"an-acc' },
      'failed to parse "response" body as JSON',
    ],
  ];
  for (const [what, answer, reason] of REASONS)
    it(`leads to an error in the log when the token endpoint answers ${what}`, async () => {
      expect(await rejectionOf(redeem(async () => answer))).to.be.instanceOf(PrivateServiceUnavailable);
      expect(upstream.logLines.at(-1)).to.include({ level: ERROR, reason });
    });

  it("leads to an error in the log that says so when the provider does not give its keys", async () => {
    provider.keysAnswer = { status: 302, body: "", headers: { location: "https://evil.example/jwks" } };
    expect(await rejectionOf(withClaims({}))).to.be.instanceOf(PrivateServiceUnavailable);
    const reason = "unexpected HTTP response status code: 302 from /jwks";
    expect(upstream.logLines.at(-1)).to.include({ level: ERROR, reason });
  });

  const NO_ANSWERS: readonly [string, TokenAnswer | undefined][] = [
    ["does not know this server", { status: 401, body: JSON.stringify({ error: "invalid_client" }) }],
    ["fails", { status: 500, body: "{}" }],
    ["answers with a page", { status: 200, body: "<html>", headers: { "content-type": "text/html" } }],
    ["answers with half of the JSON", { status: 200, body: '{"access_token":"an-acc' }],
    ["answers with nothing", { status: 200, body: "" }],
    ["answers without a body", { status: 204, body: "" }],
    ["leads elsewhere", { status: 302, body: "", headers: { location: "https://evil.example/token" } }],
    ["sends more than a megabyte", { status: 200, body: `{"a":"${"a".repeat(1_048_576)}"}` }],
    ["never answers", undefined],
  ];
  for (const [what, answer] of NO_ANSWERS)
    it(`makes the provider count as unavailable when the token endpoint ${what}`, async () => {
      const waited = startWaiting();
      expect(await rejectionOf(redeem(async () => answer))).to.be.instanceOf(PrivateServiceUnavailable);
      expect(waited()).to.be.lessThan(5_000);
    });

  const UNUSABLE: readonly [string, Readonly<Record<string, unknown>>][] = [
    ["another issuer", { issuer: "https://evil.example" }],
    ["a token endpoint without TLS", { token_endpoint: "http://localhost/token" }],
    ["no key set", { jwks_uri: undefined }],
    ["symmetric algorithms alone", { id_token_signing_alg_values_supported: ["HS256", "none"] }],
    ["pushed requests as a demand (RFC 9126 5)", { require_pushed_authorization_requests: true }],
    ["signed requests as a demand (RFC 9101 10.5)", { require_signed_request_object: true }],
    ["no client authentication of ours", { token_endpoint_auth_methods_supported: ["tls_client_auth"] }],
  ];
  for (const [what, metadata] of UNUSABLE)
    it(`is not asked for when the provider's metadata has ${what}`, async () => {
      provider.metadata = metadata;
      expect(await rejectionOf(upstream.login.begin("state-1"))).to.be.instanceOf(PrivateServiceUnavailable);
    });

  it("is taken even if the provider's metadata has null for an absent member (OIDC Discovery 3)", async () => {
    provider.metadata = { token_endpoint_auth_methods_supported: null };
    expect(await withClaims({})).to.include({ outcome: "signed-in" });
  });

  it("is not asked for when the metadata has no list of authentication methods, which is logged", async () => {
    provider.metadata = { token_endpoint_auth_methods_supported: "client_secret_basic" };
    await rejectionOf(upstream.login.begin("state-1"));
    const details = upstream.logLines.map(({ detail }) => detail);
    expect(details).to.deep.equal(["token_endpoint_auth_methods_supported is not a list"]);
  });

  it("leaves no secret of the sign-in in the log", async () => {
    await withClaims({ acr: "low", name: "Jana Secret" });
    await redeem(async () => ({ status: 401, body: JSON.stringify({ error: "invalid_client" }) })).catch(
      () => {},
    );
    const text = JSON.stringify(upstream.logLines);
    for (const secret of ["a-code", "state-1", CLIENT_SECRET, "Jana Secret", "an-access-token", "eyJ"])
      expect(text).not.to.contain(secret);
  });
});
