import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { createPublishedKeys } from "../../../packages/auth/src/applications/published-keys.ts";
import { movableClock } from "../../support/movable-clock.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { readableLog } from "../../support/readable-log.ts";
import { testCertificates } from "../../support/test-certificates.ts";
import { ISSUER, type RunningAuth, runAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  JSON_BODY,
  postRegistration,
  REGISTRATION,
  register,
} from "../test-application.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ADDRESS = "https://keys.tpp.example/jwks";
const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-12345678");

/** A key, with what a set says of it. */
async function newKey(kid: string, alg = "ES256") {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, use: "sig", alg };
  return { kid, alg, jwk, privateKey };
}
type Key = Awaited<ReturnType<typeof newKey>>;

describe("Keys that an application publishes (RFC 7591 section 2, jwks_uri)", () => {
  describe("from a real https server", () => {
    let auth: RunningAuth;
    let address: string;
    let answer: RequestListener;
    let asked = 0;
    let close: () => void;

    before(async () => {
      const { server: pairs, caFile } = await testCertificates();
      const { certificateFile, keyFile } = pairs.auth;
      const server = createServer(
        { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
        (request, response) => {
          asked += 1;
          answer(request, response);
        },
      );
      await new Promise<void>((resolve) => server.listen(0, resolve));
      address = `https://localhost:${(server.address() as AddressInfo).port}/jwks`;
      close = () => {
        server.close();
        server.closeAllConnections();
      };
      auth = await runAuth({ JWKS_URI_ADDRESSES: "private", JWKS_URI_AUTHORITY_FILE: caFile });
    });
    after(async () => {
      await auth.stop();
      close();
    });
    beforeEach(() => {
      asked = 0;
    });

    const publish = (...keys: readonly Key[]) => {
      const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
      answer = (_request, response) => void response.setHeader("content-type", "application/json").end(body);
    };
    const registerAt = (jwks_uri: string, server = auth) =>
      register(server, { ...REGISTRATION, token_endpoint_auth_method: "private_key_jwt", jwks_uri });
    const uniqueAddress = () => `${address}?${Math.random()}`;
    async function revokeWith(key: Key, client_id: string, server = auth): Promise<RawAnswer> {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: client_id,
        sub: client_id,
        aud: ISSUER,
        jti: `${Math.random()}`,
        iat: now,
        exp: now + 60,
      };
      const assertion = new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid });
      const fields = {
        token: "none",
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await assertion.sign(key.privateKey),
      };
      const body = new URLSearchParams(fields).toString();
      return server.call({ method: "POST", path: "/oauth/revoke", headers: FORM_BODY, body });
    }

    it("verify its assertions, and are fetched once for many calls", async () => {
      const key = await newKey("one");
      publish(key, await newKey("other", "PS256"));
      const { client_id } = await registerAt(uniqueAddress());
      expect(asked).to.equal(0);
      for (let round = 0; round < 3; round += 1)
        expect((await revokeWith(key, client_id)).status).to.equal(200);
      expect(asked).to.equal(1);
    });

    it("are registered by address, and replaced when a change sends the keys themselves", async () => {
      const { client_id } = await registerAt(address);
      const read = async () => JSON.parse((await auth.call({ path: `${APPLICATIONS}/${client_id}` })).body);
      expect(await read()).to.include({ jwks_uri: address, security_profile: "fapi2" });
      const { jwk } = await newKey("sent");
      const path = `${APPLICATIONS}/${client_id}`;
      const body = JSON.stringify({ ...REGISTRATION, jwks: { keys: [jwk] } });
      const headers = { "content-type": "application/json" };
      expect((await auth.call({ method: "PUT", path, headers, body })).status).to.equal(200);
      expect(await read()).not.to.have.property("jwks_uri");
    });

    it("are fetched again for an unknown kid after thirty seconds, once for twenty calls", async () => {
      const [old, next] = [await newKey("old"), await newKey("next")];
      publish(old);
      const { client_id } = await registerAt(uniqueAddress());
      expect((await revokeWith(old, client_id)).status).to.equal(200);
      publish(next);
      expect((await revokeWith(next, client_id)).status).to.equal(401);
      auth.clock.advance(30_000);
      const answers = await Promise.all(Array.from({ length: 20 }, () => revokeWith(next, client_id)));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
      expect(asked).to.equal(2);
      expect((await revokeWith(old, client_id)).status).to.equal(401);
    });

    it("are not taken from a redirect, an endless answer, a silent server or an error", async () => {
      const key = await newKey("one");
      const body = JSON.stringify({ keys: [key.jwk] });
      const listeners: readonly RequestListener[] = [
        (_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end(body),
        (_request, response) => void response.end(body.padEnd(300_000)),
        () => {},
        (_request, response) => void response.writeHead(500).end(body),
        (_request, response) => void response.end("{"),
      ];
      for (const listener of listeners) {
        answer = listener;
        const { client_id } = await registerAt(uniqueAddress());
        expect((await revokeWith(key, client_id)).status).to.equal(401);
      }
      expect(asked).to.equal(listeners.length);
    });

    it("are not fetched from loopback or private addresses unless the bank allows it", async () => {
      const key = await newKey("one");
      publish(key);
      const strict = await runAuth({ JWKS_URI_AUTHORITY_FILE: auth.certificates.caFile }, auth);
      try {
        const { client_id } = await registerAt(uniqueAddress().replace("localhost", "127.0.0.1"), strict);
        expect((await revokeWith(key, client_id, strict)).status).to.equal(401);
        expect(asked).to.equal(0);
        const line = strict.logLines.find(({ msg }) => String(msg).includes("could not be fetched"));
        expect(line?.detail).to.contain("not a public address");
      } finally {
        await strict.stop();
      }
    });

    it("are refused at registration and at a change where the bank fetches none", async () => {
      const none = await runAuth({ JWKS_URI_ADDRESSES: "none" }, auth);
      try {
        const body = { ...REGISTRATION, token_endpoint_auth_method: "private_key_jwt", jwks_uri: address };
        const refused = await postRegistration(none, body);
        expect(refused.status).to.equal(400);
        expect(JSON.parse(refused.body).error_description).to.contain("jwks_uri");
        const application = await register(none);
        const changed = await none.call({
          method: "PUT",
          path: `${APPLICATIONS}/${application.client_id}`,
          headers: JSON_BODY,
          body: JSON.stringify(body),
        });
        expect(changed.status).to.equal(400);
        expect(JSON.parse(changed.body).error_description).to.contain("jwks_uri");
      } finally {
        await none.stop();
      }
    });
  });

  describe("in the cache", () => {
    const MINUTE = 60_000;

    /** What would fetch, with a clock that the test moves. */
    async function remembering() {
      const keys = { old: await newKey("old"), next: await newKey("next") };
      const clock = movableClock();
      const state = { asked: 0, published: [keys.old] as readonly Key[] | undefined };
      const published = createPublishedKeys({
        clock,
        log: readableLog().log,
        fetch: async () => {
          state.asked += 1;
          if (state.published === undefined) throw new Error("no answer");
          return Buffer.from(JSON.stringify({ keys: state.published.map(({ jwk }) => jwk) }));
        },
      });
      const find = (address: string, kid?: string, owner = OWNER) => published.find({ address, owner }, kid);
      const kids = async (kid?: string, owner = OWNER) =>
        (await find(ADDRESS, kid, owner))?.keys.map((key) => key.kid);
      return { ...keys, clock, state, kids, find };
    }

    it("stay valid for an hour while their server fails, and no longer", async () => {
      const { clock, state, kids } = await remembering();
      expect(await kids("old")).to.deep.equal(["old"]);
      state.published = undefined;
      clock.advance(59 * MINUTE);
      expect(await kids("old")).to.deep.equal(["old"]);
      clock.advance(MINUTE);
      expect(await kids("old")).to.equal(undefined);
    });

    it("become invalid five minutes after the TPP took them out of its set", async () => {
      const { clock, state, kids, next } = await remembering();
      expect(await kids("old")).to.deep.equal(["old"]);
      state.published = [next];
      clock.advance(5 * MINUTE - 1);
      expect(await kids("old")).to.deep.equal(["old"]);
      clock.advance(1);
      expect(await kids("old")).to.deep.equal(["next"]);
    });

    it("become invalid after five minutes also when the new set is unusable (RFC 7517 5)", async () => {
      const [old, next] = [await newKey("old"), await newKey("next")];
      const another = { ...next.jwk, kid: old.kid };
      for (const left of [
        [],
        [{ ...old.jwk, use: "enc" }],
        [{ kty: "oct", k: "AAAA" }],
        [old.jwk, another],
        Array.from({ length: 11 }, (_, index) => ({ ...old.jwk, kid: String(index) })),
      ]) {
        const { clock, state, kids } = await remembering();
        state.published = [old];
        expect(await kids("old")).to.deep.equal(["old"]);
        state.published = left.map((jwk) => ({ ...old, jwk }));
        clock.advance(5 * MINUTE);
        expect(await kids("old"), JSON.stringify(left)).to.equal(undefined);
        state.published = [next];
        clock.advance(30_000);
        expect(await kids("next")).to.deep.equal(["next"]);
      }
    });

    it("are fetched at most every thirty seconds, whichever kid is named", async () => {
      const { clock, state, kids } = await remembering();
      for (let round = 0; round < 50; round += 1) await kids(`unknown-${round}`);
      clock.advance(29_999);
      await kids("unknown");
      expect(state.asked).to.equal(1);
      clock.advance(1);
      await Promise.all(Array.from({ length: 50 }, (_, round) => kids(`unknown-${round}`)));
      expect(state.asked).to.equal(2);
    });

    it("are fetched anew for a new kid although another TPP has just asked at that address (RL-02)", async () => {
      const { state, kids, next } = await remembering();
      const other = parseOrganisationIdentifier("PSDCZ-CNB-87654321");
      await kids("unknown", other);
      expect(state.asked).to.equal(1);
      state.published = [next];
      expect(await kids("next")).to.deep.equal(["next"]);
      expect(await kids("next", other)).to.deep.equal(["old"]);
    });

    it("are fetched at most every thirty seconds while their server fails", async () => {
      const { clock, state, kids } = await remembering();
      state.published = undefined;
      for (let round = 0; round < 10; round += 1) expect(await kids("old")).to.equal(undefined);
      clock.advance(29_999);
      expect(await kids("old")).to.equal(undefined);
      expect(state.asked).to.equal(1);
      clock.advance(1);
      await kids("old");
      expect(state.asked).to.equal(2);
    });

    it("are kept for a thousand addresses, of which the one longest unused is dropped first", async () => {
      const { state, find } = await remembering();
      for (let index = 0; index <= 1_000; index += 1) await find(`https://tpp.example/${index}`, "old");
      expect(state.asked).to.equal(1_001);
      await find("https://tpp.example/1", "old");
      expect(state.asked).to.equal(1_001);
      await find("https://tpp.example/0", "old");
      expect(state.asked).to.equal(1_002);
      await find("https://tpp.example/1", "old");
      expect(state.asked).to.equal(1_002);
      await find("https://tpp.example/2", "old");
      expect(state.asked).to.equal(1_003);
    });
  });
});
