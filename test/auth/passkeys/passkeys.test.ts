import { createSecretKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parsePsuId } from "@cobs/cobs-model";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import { expect } from "chai";
import { createSignInNotices } from "../../../packages/auth/src/notices/sign-in-notices-postgres.ts";
import { createPasskeyStore } from "../../../packages/auth/src/psu/passkeys/passkey-store-postgres.ts";
import {
  type Asked,
  createPasskeys,
  type Passkeys,
} from "../../../packages/auth/src/psu/passkeys/passkeys.ts";
import { isUnattested } from "../../../packages/auth/src/psu/passkeys/read-answer.ts";
import { findRelyingParty, isPasskeyDomain } from "../../../packages/auth/src/psu/passkeys/relying-party.ts";
import { seedSandboxDirectory } from "../../../packages/auth/src/psu/sandbox/seed-sandbox-directory-postgres.ts";
import { readableLog } from "../../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../../support/test-databases.ts";
import { makerOfAuthenticators } from "./maker-of-authenticators.ts";
import {
  type Algorithm,
  type Asking,
  createAuthenticator,
  type SoftwareAuthenticator,
  USER_PRESENT,
  USER_VERIFIED,
  type Wrong,
} from "./software-authenticator.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../packages/auth/migrations", import.meta.url));
const NOW = new Date("2026-07-31T12:00:00Z");
const ORIGIN = "https://login.bank.example";
const RP_ID = "login.bank.example";
const sealingKey = createSecretKey(Buffer.alloc(32, 7));
const newChallenge = () => randomBytes(32).toString("base64url");

describe("A passkey", () => {
  let databases: readonly [Database, Database];
  let one: Passkeys;
  let other: Passkeys;
  let people = 0;

  before(async () => {
    const url = new Secret(await createTestDatabase());
    const { log } = readableLog();
    await migrateDatabase({ url, directory: MIGRATIONS, log });
    const open = () =>
      openDatabase({ url, maxConnections: 8, applicationName: "test", log, timeLimits: PATIENT });
    databases = [open(), open()];
    const relyingParty = { id: RP_ID, origin: ORIGIN, name: "Sandbox Bank" };
    const notices = createSignInNotices(({ change }) => JSON.stringify(change));
    const make = (database: Database) =>
      createPasskeys({ store: createPasskeyStore(database, notices), relyingParty, sealingKey });
    one = make(databases[0]);
    other = make(databases[1]);
  });
  after(async () => {
    await Promise.all(databases.map((database) => database.close()));
  });

  const newPsu = () => {
    people += 1;
    return parsePsuId(`psu-${people}`);
  };
  const by = (psu: string) =>
    ({
      act: { actor: { kind: "psu", psu: parsePsuId(psu) }, requestId: "request-1" },
      now: NOW,
      language: "cs",
      authenticatedAt: NOW,
    }) as const;

  /** What a page says is text: it goes through JSON, as it does in a browser. */
  const asText = (asking: unknown): Asking => JSON.parse(JSON.stringify(asking));

  async function made(
    authenticator: SoftwareAuthenticator,
    wrong: Wrong = {},
    psu = newPsu(),
  ): Promise<Awaited<ReturnType<Passkeys["readNew"]>>> {
    const challenge = newChallenge();
    const asking = asText(await one.askForNew({ id: psu, displayName: "Jana" }, challenge));
    return one.readNew(authenticator.create(asking, wrong), challenge);
  }

  async function enrolled(options: { algorithm?: Algorithm; counts?: boolean } = {}, psu = newPsu()) {
    const authenticator = createAuthenticator(ORIGIN, options);
    const passkey = await made(authenticator, {}, psu);
    if (passkey === undefined) throw new Error("it was not made");
    expect(await one.store.add({ ...passkey, psu, name: "phone" }, by(psu))).to.equal("added");
    return { authenticator, psu };
  }

  /** Whom an answer proves, at one of two processes. */
  async function proven(at: Passkeys, text: string, asked: Asked): Promise<string | undefined> {
    const proof = await at.prove(text, asked, NOW);
    return proof.result === "proven" ? proof.psu : undefined;
  }
  const answer = (authenticator: SoftwareAuthenticator, challenge: string, wrong: Wrong = {}) =>
    authenticator.get(asText(one.ask(challenge)), wrong);

  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    it(`is made with ${algorithm}, and proves its PSU, user present and verified (RTS Article 4(1))`, async () => {
      const { authenticator, psu } = await enrolled({ algorithm });
      const challenge = newChallenge();
      expect(await proven(other, answer(authenticator, challenge), { challenge })).to.equal(psu);
      const [kept] = await one.store.list(psu);
      expect(kept).to.include({ credentialId: authenticator.credentialId, name: "phone", counter: 2 });
      expect(kept?.lastUsedAt).to.deep.equal(NOW);
    });
  }

  it("is requested with user verification, and without username or attestation", async () => {
    const challenge = newChallenge();
    expect(one.ask(challenge)).to.include({ challenge, rpId: RP_ID, userVerification: "required" });
    expect(one.ask(challenge).allowCredentials).to.deep.equal([]);
    const asking = await one.askForNew({ id: newPsu(), displayName: "Jana" }, challenge);
    expect(asking.attestation).to.equal("none");
    expect(asking.authenticatorSelection).to.include({
      residentKey: "required",
      userVerification: "required",
    });
    expect(JSON.stringify(asking)).to.not.include("psu-");
  });

  const wrongAnswers: Readonly<Record<string, Wrong>> = {
    "at another origin": { origin: "https://login.bank.example.evil.example" },
    "at another port": { origin: `${ORIGIN}:8443` },
    "for another domain": { rpId: "evil.example" },
    "to another challenge": { challenge: newChallenge() },
    "of the other ceremony": { type: "webauthn.create" },
    "in a frame of another site": { crossOrigin: true },
    "below a page of another site": { topOrigin: "https://evil.example" },
    "without user verification": { flags: USER_PRESENT },
    "without a user": { flags: USER_VERIFIED },
    "with a wrong signature": { signature: true },
    "with the former counter": { counter: 1 },
    "with the counter back at 0": { counter: 0 },
    "with the handle of somebody else": { userHandle: newChallenge() },
    "without a handle": { userHandle: "" },
    "under an unknown credential": { credentialId: "AAAAAAAAAAAAAAAAAAAAAA" },
  };
  for (const [what, wrong] of Object.entries(wrongAnswers)) {
    it(`proves nobody ${what}, and the right answer does afterwards`, async () => {
      const { authenticator, psu } = await enrolled();
      const challenge = newChallenge();
      expect(await proven(one, answer(authenticator, challenge, wrong), { challenge })).to.equal(undefined);
      expect(await proven(one, answer(authenticator, challenge), { challenge })).to.equal(psu);
    });
  }

  it("needs no user handle when the passkeys of one PSU are asked for, and proves only that PSU", async () => {
    const { authenticator, psu } = await enrolled();
    const challenge = newChallenge();
    const nameless = () => answer(authenticator, challenge, { userHandle: "" });
    expect(await proven(one, nameless(), { challenge, of: newPsu() })).to.equal(undefined);
    const named = answer(authenticator, challenge);
    expect(await proven(one, named, { challenge, of: newPsu() })).to.equal(undefined);
    expect(await proven(one, nameless(), { challenge, of: psu })).to.equal(psu);
  });

  it("proves nobody with the credential id of one PSU and the key of another", async () => {
    const { authenticator: mine } = await enrolled();
    const { authenticator: theirs } = await enrolled();
    const challenge = newChallenge();
    const { credentialId } = theirs;
    expect(await proven(one, answer(mine, challenge, { credentialId }), { challenge })).to.equal(undefined);
  });

  it("proves its PSU once, of fifty uses of one answer in two processes", async () => {
    const { authenticator, psu } = await enrolled();
    const challenge = newChallenge();
    const text = answer(authenticator, challenge);
    const proofs = await Promise.all(
      Array.from({ length: 50 }, (_, index) => proven(index % 2 ? one : other, text, { challenge })),
    );
    expect(proofs.filter((each) => each === psu)).to.have.length(1);
    expect(await one.prove(text, { challenge }, NOW)).to.deep.equal({ result: "counted_before" });
    const copied = answer(authenticator, challenge, { counter: 1 });
    expect(await one.prove(copied, { challenge }, NOW)).to.deep.equal({ result: "nothing" });
  });

  it("may leave its counter at 0 (Web Authentication 6.1.1)", async () => {
    const { authenticator, psu } = await enrolled({ counts: false });
    for (let time = 0; time < 2; time += 1) {
      const challenge = newChallenge();
      expect(await proven(one, answer(authenticator, challenge), { challenge })).to.equal(psu);
    }
  });

  it("proves nobody with a malformed answer", async () => {
    const { authenticator } = await enrolled();
    const challenge = newChallenge();
    const good: object = JSON.parse(answer(authenticator, challenge));
    const strange = [
      "",
      "null",
      "[]",
      "{",
      "{}",
      ...Object.keys(good).map((name) => JSON.stringify({ ...good, [name]: undefined })),
      ...Object.keys(good).map((name) => JSON.stringify({ ...good, [name]: "a".repeat(6001) })),
      ...Object.keys(good).map((name) => JSON.stringify({ ...good, [name]: "AAAA" })),
      ...Object.keys(good).map((name) => JSON.stringify({ ...good, [name]: 7 })),
    ];
    for (const text of strange) {
      expect(await proven(one, text, { challenge }), text).to.equal(undefined);
      expect(await one.readNew(text, challenge), text).to.equal(undefined);
    }
  });

  const wrongMakings: Readonly<Record<string, Wrong>> = {
    "at another origin": { origin: "https://evil.example" },
    "for another domain": { rpId: "evil.example" },
    "upon another challenge": { challenge: newChallenge() },
    "in the other ceremony": { type: "webauthn.get" },
    "in a frame of another site": { crossOrigin: true },
    "below a page of another site": { topOrigin: "https://evil.example" },
    "without user verification": { flags: USER_PRESENT },
    "without a user": { flags: USER_VERIFIED },
    "with a certificate of its maker": { attestedBy: makerOfAuthenticators() },
    "with the statement of a maker": { format: "apple" },
  };
  for (const [what, wrong] of Object.entries(wrongMakings)) {
    it(`is not taken when it was made ${what}`, async () => {
      expect(await made(createAuthenticator(ORIGIN), wrong)).to.equal(undefined);
    });
  }

  it("is read despite a leading byte order mark (Web Authentication 7.1 step 5, 7.2 step 9)", async () => {
    const [{ authenticator, psu }, challenge, before] = [await enrolled(), newChallenge(), "\uFEFF"];
    expect(await made(createAuthenticator(ORIGIN), { before })).to.not.equal(undefined);
    expect(await proven(one, answer(authenticator, challenge, { before }), { challenge })).to.equal(psu);
  });

  it("is taken from a browser that sends no crossOrigin (Web Authentication 5.8.1)", async () => {
    const [{ authenticator, psu }, challenge, silent] = [
      await enrolled(),
      newChallenge(),
      { crossOrigin: "absent" } as const,
    ];
    expect(await made(createAuthenticator(ORIGIN), silent)).to.not.equal(undefined);
    expect(await proven(one, answer(authenticator, challenge, silent), { challenge })).to.equal(psu);
  });

  it("is decoded with no attestation or that of its own key, and never with certificates", () => {
    const isLookedAt = (format: string, ...members: readonly string[]) => {
      const statement = new Map(members.map((name) => [name, Buffer.alloc(9)]));
      const text = createAuthenticator(ORIGIN).create({ challenge: newChallenge() }, { format, statement });
      return isUnattested(JSON.parse(text).attestationObject, decodeAttestationObject);
    };
    expect([isLookedAt("none"), isLookedAt("packed", "sig")]).to.deep.equal([true, true]);
    expect([isLookedAt("packed", "sig", "x5c"), isLookedAt("apple"), isLookedAt("tpm", "x5c")]).to.deep.equal(
      [false, false, false],
    );
  });

  it("is refused with an algorithm that was not asked for", async () => {
    expect(await made(createAuthenticator(ORIGIN, { algorithm: "ES384" }))).to.equal(undefined);
  });

  const rsaKey = (modulusLength: number) => {
    const { n = "" } = generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" });
    return new Map([[-1, Buffer.from(n, "base64url")]]);
  };
  const unfitKeys: readonly (readonly [what: string, algorithm: Algorithm, key: Wrong["key"] & object])[] = [
    ["an RSA key of 1,024 bits", "RS256", rsaKey(1_024)],
    ["an RSA exponent of 3", "RS256", new Map([[-2, Buffer.of(3)]])],
    ["an RSA exponent that takes long", "RS256", new Map([[-2, Buffer.alloc(256, 0x7f)]])],
    ["another curve than P-256", "ES256", new Map([[-1, 2]])],
    ["a point that is not on the curve", "ES256", new Map([[-3, Buffer.alloc(32, 1)]])],
    ["a compressed point", "ES256", new Map<number, Uint8Array | string>([[-3, ""]])],
    ["a key of another type than its algorithm", "ES256", new Map([[3, -257]])],
    ["another curve than Ed25519", "EdDSA", new Map([[-1, 4]])],
  ];
  for (const [what, algorithm, key] of unfitKeys) {
    it(`is refused with ${what} (Web Authentication 5.8.5, FIPS 186-5)`, async () => {
      expect(await made(createAuthenticator(ORIGIN, { algorithm }), { key })).to.equal(undefined);
    });
  }

  it("belongs to one PSU and is added once, of fifty times at once in two processes", async () => {
    const psu = newPsu();
    const passkey = await made(createAuthenticator(ORIGIN), {}, psu);
    if (passkey === undefined) throw new Error("it was not made");
    const add = (index: number) =>
      (index % 2 ? one : other).store.add(
        { ...passkey, psu: index % 4 ? psu : parsePsuId("thief"), name: "" },
        by(psu),
      );
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)));
    expect(outcomes.filter((outcome) => outcome === "added")).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === "known")).to.have.length(49);
  });

  it("is refused as the eleventh of a PSU, even of fifty added at once in two processes", async () => {
    const psu = newPsu();
    const passkeys = Array.from({ length: 50 }, () => ({
      psu,
      name: "",
      counter: 0,
      publicKey: Buffer.from("key"),
      credentialId: randomBytes(16).toString("base64url"),
    }));
    await Promise.all(passkeys.map((each, index) => (index % 2 ? one : other).store.add(each, by(psu))));
    expect(await one.store.list(psu)).to.have.length(10);
    const [first] = passkeys;
    if (first === undefined) throw new Error("there is none");
    const more = { ...first, credentialId: randomBytes(16).toString("base64url") };
    expect(await one.store.add(more, by(psu))).to.equal("too_many");
  });

  it("is not removed as a PSU's last authenticator, even of two at once; the audit log tells each change", async () => {
    const { psu } = await enrolled();
    await enrolled({}, psu);
    const kept = await one.store.list(psu);
    const outcomes = await Promise.all(kept.map(({ id }) => other.store.remove({ id, psu }, by(psu))));
    expect([...outcomes].sort()).to.deep.equal(["last", "removed"]);
    expect(await one.store.list(psu)).to.have.length(1);
    const text = `SELECT action FROM audit_entry WHERE subject_kind = 'credential' AND details::jsonb ->> 'psu' = $1 ORDER BY action`;
    const rows = await databases[0].run<{ action: string }>({ name: "audited", text, values: [psu] });
    expect(rows.map(({ action }) => action)).to.deep.equal([
      "credential.added",
      "credential.added",
      "credential.removed",
    ]);
  });

  it("can be removed beside an authenticator app, but not beside an activation code alone", async () => {
    const person = (psuId: string) => ({ psuId, username: psuId, displayName: psuId, password: "secret" });
    const { psu: withApp } = await enrolled();
    const { psu: newcomer } = await enrolled();
    await seedSandboxDirectory(
      databases[0],
      [
        { ...person(withApp), totpSecret: "JBSWY3DPEHPK3PXP" },
        { ...person(newcomer), activationCode: "4071-8825-1930-5562-7743" },
      ],
      sealingKey,
      { cost: 1024, blockSize: 8, parallelization: 1 },
    );
    for (const [psu, outcome] of [
      [withApp, "removed"],
      [newcomer, "last"],
    ] as const) {
      const [{ id } = { id: "" }] = await one.store.list(psu);
      expect(await one.store.remove({ id, psu }, by(psu))).to.equal(outcome);
    }
  });

  it("can be neither added nor removed with a sign-in from before a block by the bank, even a past one", async () => {
    const { psu } = await enrolled();
    await enrolled({}, psu);
    const [{ id } = { id: "" }] = await one.store.list(psu);
    const passkey = { psu, name: "", counter: 0, publicKey: Buffer.from("key"), credentialId: "a2V5" };
    const BLOCK = "INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ($1, 'r', 'o', $2)";
    const RELEASE = "UPDATE psu_block SET released_by = 'o', released_at = $2 WHERE psu_id = $1";
    for (const text of [BLOCK, RELEASE]) {
      await databases[0].run({ name: text.slice(0, 6), text, values: [psu, NOW] });
      expect(await one.store.add(passkey, by(psu))).to.equal("not_admitted");
      expect(await other.store.remove({ id, psu }, by(psu))).to.equal("not_admitted");
    }
    expect(await one.store.list(psu)).to.have.length(2);
    const anew = { ...by(psu), authenticatedAt: new Date(NOW.getTime() + 1) };
    expect(await one.store.add(passkey, anew)).to.equal("added");
  });

  it("is not removed by another PSU", async () => {
    const { psu } = await enrolled();
    await enrolled({}, psu);
    const [{ id } = { id: "" }] = await one.store.list(psu);
    // With authenticators of their own, so that it is not for the want of one.
    const { psu: thief } = await enrolled();
    expect(await one.store.remove({ id, psu: thief }, by(thief))).to.equal("unknown");
    expect(await one.store.list(psu)).to.have.length(2);
  });
});

describe("The domain of passkeys", () => {
  const named = (issuer: string, domain?: string) => findRelyingParty(issuer, { domain, name: "Bank" });

  it("is the host of the pages, or a configured parent of it", () => {
    expect(named("https://login.bank.example:8443")).to.deep.equal({
      id: "login.bank.example",
      origin: "https://login.bank.example:8443",
      name: "Bank",
    });
    expect(named("https://login.bank.example", "bank.example")?.id).to.equal("bank.example");
    for (const domain of ["login.bank.example", "bank.example"])
      expect(isPasskeyDomain(domain, "https://login.bank.example"), domain).to.equal(true);
  });

  it("is no other bank's, no top-level domain and no IP address (Web Authentication 5.1.2)", () => {
    for (const domain of ["example", "ank.example", "other.example", "x.login.bank.example", ""])
      expect(isPasskeyDomain(domain, "https://login.bank.example"), domain).to.equal(false);
    expect(named("https://127.0.0.1:8443")).to.equal(undefined);
    expect(named("https://[::1]:8443")).to.equal(undefined);
  });
});
