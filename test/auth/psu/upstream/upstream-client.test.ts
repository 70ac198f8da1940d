import { readFileSync } from "node:fs";
import { PrivateServiceUnavailable, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { exportJWK, generateKeyPair } from "jose";
import type { SignInOutcome } from "../../../../packages/auth/src/psu/psu-login.ts";
import { freePort } from "../../../support/free-port.ts";
import { rejectionOf } from "../../../support/rejection.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { type BankProvider, type Registration, startBankProvider } from "./bank-provider.ts";
import { type HandMadeUpstream, handMadeUpstream, settingsOf } from "./hand-made-upstream.ts";
import { RETURN_URI } from "./running-upstream.ts";

const JANA = { psu: "bank-0042", name: "Jana Nováková" };
const SIGNED_IN = { outcome: "signed-in", psu: JANA.psu, methods: ["upstream"] };

/** Expects that Jana was signed in, and authenticated just now by the clock that the provider goes by. */
function expectSignedIn(outcome: SignInOutcome): void {
  const { authenticatedAt, ...rest } = { authenticatedAt: undefined, ...outcome };
  expect(rest).to.deep.equal(SIGNED_IN);
  expect(authenticatedAt?.getTime()).to.be.within(Date.now() - 60_000, Date.now());
}

describe("Auth as a client of a real OpenID provider", () => {
  const opened: (BankProvider | HandMadeUpstream)[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

  async function provide(registration: Partial<Registration> = {}): Promise<BankProvider> {
    const { server, privateCaFile } = await testCertificates();
    const registered = { redirectUri: RETURN_URI, ...registration };
    const provider = await startBankProvider(server.resourceBank, privateCaFile, registered);
    opened.push(provider);
    return provider;
  }

  async function open(...wanted: Parameters<typeof settingsOf>): Promise<HandMadeUpstream> {
    const upstream = handMadeUpstream(await settingsOf(...wanted));
    opened.push(upstream);
    return upstream;
  }

  it("redeems a code once, even if the same sign-in comes back again (RFC 6749 4.1.2)", async () => {
    const provider = await provide();
    const upstream = await open(provider.issuer);
    const { memory, location } = await upstream.begin();
    const { searchParams } = await provider.signIn(location, JANA);
    expectSignedIn(await upstream.comeBack(memory, searchParams));
    expect(await upstream.comeBack(memory, searchParams)).to.deep.equal({ outcome: "refused" });
    expect(upstream.refusals()).to.deep.equal(["code_refused"]);
    expect(upstream.logLines.at(-1), "the reference that the page tells").to.include({
      requestId: "request-1",
    });
  });

  it("redeems no code that was given for another sign-in (RFC 9700 4.5)", async () => {
    const provider = await provide();
    const upstream = await open(provider.issuer);
    const [asked, stolen] = [await upstream.begin(), await upstream.begin()];
    const { searchParams } = await provider.signIn(stolen.location, JANA);
    expect(await upstream.comeBack(asked.memory, searchParams)).to.deep.equal({ outcome: "refused" });
  });

  it("sends its secret in the form to a provider that takes it only there (RFC 6749 2.3.1)", async () => {
    const provider = await provide({ secretIn: "form" });
    const upstream = await open(provider.issuer);
    const { memory, location } = await upstream.begin();
    const { searchParams } = await provider.signIn(location, JANA);
    expectSignedIn(await upstream.comeBack(memory, searchParams));
  });

  for (const alg of ["ES256", "PS256", "RS256"] as const)
    it(`authenticates with a key where it has one, by ${alg} (private_key_jwt, OIDC Core section 9)`, async () => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      const provider = await provide({ key: { ...(await exportJWK(publicKey)), kid: "auth-1", alg } });
      const jwk = JSON.stringify({ ...(await exportJWK(privateKey)), kid: "auth-1", alg });
      const upstream = await open(provider.issuer, { authentication: { kind: "key", key: new Secret(jwk) } });
      const { memory, location } = await upstream.begin();
      const { searchParams } = await provider.signIn(location, JANA);
      expectSignedIn(await upstream.comeBack(memory, searchParams));
    });

  it("begins no sign-in if the provider does not take its key's algorithm, and logs that", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const provider = await provide({ key: { ...(await exportJWK(publicKey)), alg: "RS256" } });
    const key = new Secret(JSON.stringify(await exportJWK(privateKey)));
    const upstream = await open(provider.issuer, { authentication: { kind: "key", key } });
    expect(await rejectionOf(upstream.begin())).to.be.instanceOf(PrivateServiceUnavailable);
    const detail = "it does not accept assertions signed with PS256";
    expect(upstream.logLines.at(-1)).to.include({ detail });
  });

  it("begins no sign-in if the provider takes no key at all, and logs that", async () => {
    const provider = await provide({ secretIn: "form" });
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const key = new Secret(JSON.stringify(await exportJWK(privateKey)));
    const upstream = await open(provider.issuer, { authentication: { kind: "key", key } });
    expect(await rejectionOf(upstream.begin())).to.be.instanceOf(PrivateServiceUnavailable);
    expect(upstream.logLines.at(-1)).to.include({ detail: "it does not support private_key_jwt" });
  });

  it("sends nothing to a provider that the configured authority has not certified", async () => {
    const provider = await provide();
    const authorities = [readFileSync((await testCertificates()).caFile, "utf8")];
    const upstream = await open(provider.issuer, { authorities });
    expect(await rejectionOf(upstream.begin())).to.be.instanceOf(PrivateServiceUnavailable);
    expect(provider.count("/.well-known/openid-configuration")).to.equal(0);
    expect(upstream.logLines.at(-1))
      .to.have.property("detail")
      .that.matches(/certificate/);
  });

  it("logs why a provider cannot be reached", async () => {
    const provider = await provide();
    const elsewhere = await open(`${provider.issuer}/elsewhere`);
    await rejectionOf(elsewhere.begin());
    const detail =
      "unexpected HTTP response status code: 404 from /elsewhere/.well-known/openid-configuration";
    expect(elsewhere.logLines.at(-1)).to.include({ detail });
    const nowhere = await open(`https://localhost:${await freePort()}`);
    await rejectionOf(nowhere.begin());
    expect(nowhere.logLines.at(-1))
      .to.have.property("detail")
      .that.matches(/ECONNREFUSED/);
  });

  it("fetches the provider's metadata once, however many sign in at once", async () => {
    const provider = await provide();
    const upstream = await open(provider.issuer);
    await Promise.all(Array.from({ length: 50 }, () => upstream.begin()));
    expect(provider.count("/.well-known/openid-configuration")).to.equal(1);
  });

  it("waits once for a provider that is away, however many sign in at once", async () => {
    const provider = await provide();
    provider.away = true;
    const upstream = await open(provider.issuer);
    const failed = await Promise.all(Array.from({ length: 50 }, () => rejectionOf(upstream.begin())));
    expect(failed.every((error) => error instanceof PrivateServiceUnavailable)).to.equal(true);
    expect(provider.count("/.well-known/openid-configuration"), "and once more on a new connection").to.equal(
      2,
    );
  });
});
