/** Passkeys are those of one PSU, whatever another one has. */
import { randomBytes, randomUUID } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createSignInNotices } from "../../packages/auth/src/notices/sign-in-notices-postgres.ts";
import { createPasskeyStore } from "../../packages/auth/src/psu/passkeys/passkey-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { psuAct } from "./test-acts.ts";

const NOW = new Date("2026-07-31T12:00:00Z");

describe("Passkey store", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const notices = createSignInNotices(({ change }) => `told: ${change.kind}`);
  const store = (process: 0 | 1 = 0) => createPasskeyStore(databases[process], notices);
  const newPsu = () => parsePsuId(`psu-${randomUUID()}`);
  const by = (psu: PsuId) => {
    const act = { ...psuAct(psu), requestId: "request-1" };
    return { act, now: NOW, language: "en", authenticatedAt: NOW } as const;
  };

  /** Gives the ids of a PSU's passkeys with those of so many new ones. */
  async function add(psu: PsuId, count: number): Promise<readonly string[]> {
    for (let added = 0; added < count; added += 1) {
      const credentialId = randomBytes(16).toString("base64url");
      const passkey = { psu, name: "phone", counter: 1, publicKey: Buffer.from("key"), credentialId };
      expect(await store().add(passkey, by(psu))).to.equal("added");
    }
    return idsOf(psu);
  }
  const idsOf = async (psu: PsuId) => (await store(1).list(psu)).map(({ id }) => id);

  /** A PSU of the sandbox with an authenticator app. */
  const addPerson = (psu: PsuId) =>
    databases[0].run({
      name: "add-person",
      text: `INSERT INTO sandbox_psu (psu_id, username, display_name, password_hash, password_salt, scrypt_cost,
        scrypt_block_size, scrypt_parallelization, sealed_totp_secret) VALUES ($1, $1, $1, '', '', 1, 1, 1, 'sealed')`,
      values: [psu],
    });

  it("removes the one passkey that its PSU names, and none of another PSU", async () => {
    const [psu, another] = [newPsu(), newPsu()];
    const [[first = "", second = ""], others] = [await add(psu, 2), await add(another, 2)];
    expect(await store().remove({ id: others[0] ?? "", psu }, by(psu))).to.equal("unknown");
    expect(await store().remove({ id: first, psu }, by(psu))).to.equal("removed");
    expect([await idsOf(psu), await idsOf(another)]).to.deep.equal([[second], others]);
  });

  it("keeps a PSU's last passkey if they have no other means, whatever another PSU has", async () => {
    const [psu, another, withApp] = [newPsu(), newPsu(), newPsu()];
    const [[only = ""], [own = ""]] = [await add(psu, 1), await add(withApp, 1)];
    await add(another, 2);
    for (const each of [another, withApp]) await addPerson(each);
    expect(await store().remove({ id: only, psu }, by(psu))).to.equal("last");
    expect(await idsOf(psu)).to.deep.equal([only]);
    expect(await store().remove({ id: own, psu: withApp }, by(withApp))).to.equal("removed");
  });

  it("finds the one passkey of a credential, and counts only its uses", async () => {
    const [psu, another] = [newPsu(), newPsu()];
    for (const each of [another, psu]) await add(each, 1);
    const [[own], [other]] = [await store().list(psu), await store().list(another)];
    if (own === undefined || other === undefined) throw new Error("none was added");
    expect(await store(1).find(own.credentialId)).to.deep.equal(own);
    expect(await store().use(own.id, 7, NOW)).to.equal(true);
    expect(await store(1).list(psu)).to.deep.equal([{ ...own, counter: 7, lastUsedAt: NOW }]);
    expect(await store(1).list(another)).to.deep.equal([other]);
  });
});
