import { randomUUID } from "node:crypto";
import { MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS } from "@cobs/resource";
import {
  type Database,
  migrateDatabase,
  openDatabase,
  type RefusedCertificate,
  Secret,
} from "@cobs/service-edge";
import { expect } from "chai";
import {
  createRefusedCertificates,
  type OpenRefusedCertificates,
} from "../../packages/service-edge/src/refusals/refused-certificates-postgres.ts";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../support/test-databases.ts";

const SERVICES = { auth: AUTH_MIGRATIONS, resource: RESOURCE_MIGRATIONS };
const DAY = 86_400_000;
const NOON = Date.now() - 3_600_123;

function refused(changed: Partial<RefusedCertificate> = {}): RefusedCertificate {
  return {
    requestId: randomUUID(),
    callerRequestId: undefined,
    at: new Date(NOON),
    code: "certificate_expired",
    detail: "notAfter has passed",
    presented: {
      der: Buffer.from([0x30, 0, 0xff]),
      intermediates: [Buffer.from([1]), Buffer.from([2, 0])],
      tlsVerdict: "CERT_HAS_EXPIRED",
    },
    ...changed,
  };
}

for (const [service, directory] of Object.entries(SERVICES)) {
  describe(`Refused certificates of ${service}`, () => {
    let tunnel: CuttableTunnel;
    let databases: readonly [Database, Database];
    let open: OpenRefusedCertificates[];
    const clock = movableClock();

    before(async () => {
      const url = new URL(await createTestDatabase());
      const { log } = readableLog();
      await migrateDatabase({ url: new Secret(url.href), directory, log });
      tunnel = await openTunnel(Number(url.port));
      url.port = String(tunnel.port);
      const openOne = () =>
        openDatabase({
          url: new Secret(url.href),
          maxConnections: 2,
          applicationName: "contract",
          log,
          timeLimits: PATIENT,
        });
      databases = [openOne(), openOne()];
    });
    beforeEach(() => {
      open = [];
    });
    afterEach(async () => {
      await Promise.all(open.map((store) => store.stop()));
      await databases[0].run({ name: "", text: "TRUNCATE refused_certificate", values: [] });
    });
    after(async () => {
      await Promise.all(databases.map((database) => database.close()));
      await tunnel.cut();
    });

    function openStore(
      lost: (readonly [issuer: string, count: number])[] = [],
      database = databases[0],
    ): OpenRefusedCertificates {
      const { log } = readableLog();
      const onLost = (issuer: string, count: number) => void lost.push([issuer, count]);
      const store = createRefusedCertificates({ database, clock, log, onLost });
      open.push(store);
      return store;
    }

    async function rows(): Promise<number> {
      const text = "SELECT count(*)::int AS kept FROM refused_certificate";
      const [row] = await databases[0].run<{ kept: number }>({ name: "", text, values: [] });
      return row?.kept ?? -1;
    }

    it("are found by our request id in every process, octet by octet, within about a second", async () => {
      const one = refused();
      const other = openStore([], databases[1]);
      openStore().record(one);
      await eventually(async () => (await other.find(one.requestId)).length > 0);
      expect(await other.find(one.requestId)).to.deep.equal([one]);
      expect(await other.find(randomUUID())).to.deep.equal([]);
    });

    it("are found by the caller's request id, newest first, and at most twenty of them", async () => {
      const store = openStore();
      for (let second = 0; second < 25; second += 1) {
        store.record(refused({ callerRequestId: "again", at: new Date(NOON + second * 1_000) }));
        if (second === 12) await eventually(async () => (await rows()) === 13);
      }
      await store.stop();
      const found = await store.find("again");
      expect(found.map(({ at }) => (at.getTime() - NOON) / 1_000)).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => 24 - index),
      );
    });

    it("are written by a process that stops, even one without a chain or verdict", async () => {
      const store = openStore();
      const bare = refused({
        presented: { der: Buffer.alloc(0), intermediates: [], tlsVerdict: undefined },
      });
      store.record(bare);
      await store.stop();
      expect(await store.find(bare.requestId)).to.deep.equal([bare]);
    });

    it("are written by a process that stops while it still writes earlier ones", async () => {
      let isWriting = false;
      let goOn = () => {};
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      const run: Database["run"] = async (statement) => {
        isWriting = true;
        await gate;
        return databases[0].run(statement);
      };
      const store = openStore([], { ...databases[0], run });
      store.record(refused());
      await eventually(() => isWriting);
      store.record(refused());
      const stopped = store.stop();
      goOn();
      await stopped;
      expect(await rows()).to.equal(2);
    });

    it("are limited to twenty per second in a flood, before any is written; the others are counted", async () => {
      const lost: [string, number][] = [];
      let writes = 0;
      const run: Database["run"] = (statement) => {
        writes += 1;
        return databases[0].run(statement);
      };
      const store = openStore(lost, { ...databases[0], run });
      for (let count = 0; count < 1_000; count += 1) store.record(refused());
      expect(writes).to.equal(0);
      await store.stop();
      expect(await rows()).to.equal(20);
      expect(lost).to.deep.equal([["known", 980]]);
    });

    it("that anybody can make leave room for those vouched for by an authority, and are counted apart", async () => {
      const lost: [string, number][] = [];
      const store = openStore(lost);
      for (let count = 0; count < 500; count += 1)
        for (const code of ["chain_untrusted", "certificate_malformed"]) store.record(refused({ code }));
      const vouchedFor = refused();
      store.record(vouchedFor);
      await store.stop();
      expect(await rows()).to.equal(21);
      expect(lost).to.deep.equal([["unknown", 980]]);
      expect(await store.find(vouchedFor.requestId)).to.have.length(1);
    });

    it("are cut to what explains them: a certificate beyond its limit, a chain beyond its room", async () => {
      const store = openStore();
      const intermediates = Array.from({ length: 8 }, () => Buffer.alloc(16_000, 1));
      const large = refused({
        presented: { der: Buffer.alloc(90_000, 1), intermediates, tlsVerdict: undefined },
      });
      store.record(large);
      await store.stop();
      const [found] = await store.find(large.requestId);
      expect(found?.presented.der).to.have.length(16_385);
      expect(found?.presented.intermediates).to.have.length(2);
    });

    it("keep the others of their batch when one has a detail that no text column can hold", async () => {
      const store = openStore();
      store.record(refused({ detail: "a\0b\ud800" }));
      store.record(refused());
      await store.stop();
      expect(await rows()).to.equal(2);
    });

    it("are kept once when one request id comes twice", async () => {
      const store = openStore();
      const one = refused();
      store.record(one);
      store.record({ ...one, code: "chain_untrusted" });
      await store.stop();
      expect(await store.find(one.requestId)).to.deep.equal([one]);
    });

    it("stay as the newest five thousand of each kind, and no longer than thirty days", async () => {
      const now = clock.now();
      const text = `INSERT INTO refused_certificate
        SELECT code || lpad(n::text, 6, '0'), NULL, $1::timestamptz - n * interval '1 millisecond', code, 'd', '', '{}', NULL
        FROM generate_series(1, 5050) AS n, unnest(ARRAY['chain_untrusted', 'role_unknown']) AS code`;
      await databases[0].run({ name: "", text, values: [now] });
      await openStore().stop();
      expect(await rows()).to.equal(10_000);
      for (const code of ["chain_untrusted", "role_unknown"]) {
        expect(await openStore().find(`${code}005000`)).to.have.length(1);
        expect(await openStore().find(`${code}005001`)).to.have.length(0);
      }
      clock.advance(30 * DAY - 2_500);
      await openStore().stop();
      expect(await rows()).to.equal(2 * 2_500);
    });

    it("are lost while the database is down, without failing or delaying a call; later ones are kept again", async () => {
      const lost: [string, number][] = [];
      const store = openStore(lost);
      await tunnel.cut();
      for (const code of ["certificate_expired", "chain_untrusted", "certificate_expired"])
        store.record(refused({ code }));
      await eventually(async () => lost.length > 0);
      await tunnel.mend();
      const later = refused();
      store.record(later);
      await eventually(async () => (await store.find(later.requestId)).length === 1);
      expect(lost).to.deep.equal([
        ["known", 2],
        ["unknown", 1],
      ]);
    });
  });
}
