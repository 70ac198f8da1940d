import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createSandboxInbox } from "../../packages/auth/src/delivery/sandbox-inbox-postgres.ts";
import type { SignInChange } from "../../packages/auth/src/notices/sign-in-change.ts";
import { createSignInNotices } from "../../packages/auth/src/notices/sign-in-notices-postgres.ts";
import { startTelling } from "../../packages/auth/src/notices/start-telling.ts";
import type { WaitingNotice } from "../../packages/auth/src/notices/waiting-notices.ts";
import { createWaitingNotices } from "../../packages/auth/src/notices/waiting-notices-postgres.ts";
import { createPasskeyStore } from "../../packages/auth/src/psu/passkeys/passkey-store-postgres.ts";
import { forgetRecords } from "../../packages/auth/src/records/forget-records-postgres.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";

const NOW = new Date("2026-07-31T12:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const HOUR = 3_600;
const PSU = parsePsuId("psu-jana");
const APP: SignInChange = { kind: "authenticator_enrolled" };
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

describe("Notices of changed sign-ins", () => {
  let databases: readonly [Database, Database];
  beforeEach(async () => {
    databases = await twoProcesses();
  });
  afterEach(() => Promise.all(databases.map((database) => database.close())));

  const notices = createSignInNotices(({ change }) => `told: ${change.kind}`);
  const one = () => createWaitingNotices(databases[0]);
  const other = () => createWaitingNotices(databases[1]);
  const change = (at = NOW, psu = PSU) =>
    databases[0].transaction((queries) =>
      notices.tell(queries, { psu, change: APP, at, language: "cs", requestId: "request-1" }),
    );
  const query = <Row>(text: string) => databases[0].run<Row>({ name: "", text, values: [] });
  const count = async () => (await query("SELECT FROM psu_notice")).length;
  const audited = () =>
    query<{ action: string; subject: string; details: string }>(
      "SELECT action, subject, details FROM audit_entry ORDER BY id",
    );
  async function taken(at = NOW): Promise<WaitingNotice> {
    const [notice] = await one().take(at, 10);
    return notice ?? expect.fail("there was none");
  }

  const newPasskey = () => ({
    psu: PSU,
    name: "phone",
    counter: 0,
    publicKey: Buffer.from("key"),
    credentialId: randomBytes(16).toString("base64url"),
  });
  const by = (now = NOW) =>
    ({
      act: { actor: { kind: "psu", psu: PSU }, requestId: "request-1" },
      now,
      language: "en",
      authenticatedAt: now,
    }) as const;

  it("are stored with the passkey change that they announce, in the PSU's language, or neither is stored", async () => {
    const store = createPasskeyStore(databases[0], notices);
    await store.add(newPasskey(), by());
    expect(await taken()).to.deep.include({
      psu: PSU,
      kind: "passkey_added",
      language: "en",
      text: "told: passkey_added",
      requestId: "request-1",
      occurredAt: NOW,
      tries: 1,
    });
    const failing = createSignInNotices(() => {
      throw new Error("no words");
    });
    const unable = createPasskeyStore(databases[0], failing);
    expect((await rejectionOf(unable.add(newPasskey(), by()))).message).to.equal("no words");
    const [kept] = await store.list(PSU);
    expect(await store.list(PSU)).to.have.length(1);
    const another = await store.add(newPasskey(), by());
    expect(another).to.equal("added");
    const id = kept?.id ?? "";
    await rejectionOf(unable.remove({ id, psu: PSU }, by()));
    expect(await store.list(PSU)).to.have.length(2);
  });

  it("announce each of fifty passkeys added at once, and nothing that was not added", async () => {
    const stores = databases.map((database) => createPasskeyStore(database, notices));
    const outcomes = await times(50, (index) => {
      const psu = parsePsuId(`psu-${index % 10}`);
      return Promise.resolve(stores[index % 2]?.add({ ...newPasskey(), psu }, by()));
    });
    expect(outcomes.filter((outcome) => outcome === "added")).to.have.length(50);
    const again = newPasskey();
    await times(50, (index) => Promise.resolve(stores[index % 2]?.add(again, by())));
    expect(await count()).to.equal(51);
  });

  it("are taken by one of fifty callers at once in two processes, and retried after growing pauses", async () => {
    await change();
    const takers = (at: Date) => times(50, (index) => (index % 2 ? one() : other()).take(at, 10));
    let due = NOW.getTime();
    const ids = new Set<string>();
    for (const pause of [15, 30, 60, 120, 240, 480, 900, 900]) {
      expect((await takers(new Date(due - 1))).flat()).to.deep.equal([]);
      const found = (await takers(new Date(due))).flat();
      expect(found).to.have.length(1);
      for (const { id } of found) ids.add(id);
      due += pause * 1_000;
    }
    expect(ids.size, "each try is under the same id").to.equal(1);
  });

  it("are not delayed for as long as the clock of a process that took them was ahead", async () => {
    const now = new Date();
    const ahead = new Date(now.getTime() + 400 * 24 * 3_600_000);
    await change(now);
    expect(await one().take(ahead, 10)).to.have.length(1);
    expect(await one().take(ahead, 10), "with a pause by its own clock").to.deep.equal([]);
    expect(await other().take(now, 10)).to.have.length(1);
    expect(await one().take(now, 10), "with a pause again").to.deep.equal([]);
  });

  it("are recorded as delivered once when fifty report it at once, and not taken again", async () => {
    await change();
    const notice = await taken();
    await times(50, (index) => (index % 2 ? one() : other()).end(notice));
    const entries = await audited();
    expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([["psu.notified", PSU]]);
    expect(JSON.parse(entries[0]?.details ?? "")).to.deep.equal({
      notice: notice.id,
      change: "authenticator_enrolled",
      tries: 1,
    });
    expect(await other().take(later(100 * HOUR), 10)).to.deep.equal([]);
  });

  it("are given up and recorded so once when fifty try at once, but not after they were delivered", async () => {
    await change();
    await taken();
    const notice = await taken(later(HOUR));
    const told = await times(50, (index) => (index % 2 ? one() : other()).giveUp(notice));
    expect(told.filter(Boolean)).to.have.length(1);
    expect(await one().end(notice)).to.equal(false);
    const entries = await audited();
    expect(entries.map(({ action }) => action)).to.deep.equal(["psu.not_notified"]);
    expect(JSON.parse(entries[0]?.details ?? ""), "the turn that gave up made no try").to.include({
      tries: 1,
    });
    expect(await one().take(later(72 * HOUR), 10)).to.deep.equal([]);
    await change();
    const another = await taken();
    expect(await other().end(another)).to.equal(true);
    expect(await one().giveUp(another)).to.equal(false);
  });

  it("are deleted an hour after the change once they are over, and not before", async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    for (const minutes of [59, 61]) {
      await change(ago(minutes));
      await one().end(await taken(new Date()));
    }
    await change(ago(61));
    await forgetRecords(databases[0], 1_826);
    const left = await query<{ next_try_at: Date | null; occurred_at: Date }>(
      "SELECT next_try_at, occurred_at FROM psu_notice ORDER BY occurred_at",
    );
    const [waiting, young] = left;
    expect(left).to.have.length(2);
    expect(waiting?.next_try_at, "it is not delivered yet").to.be.instanceOf(Date);
    expect(Number(young?.occurred_at)).to.be.greaterThan(Number(ago(60)));
  });

  it("allow a PSU thirty of fifty changes at once within an hour, but always the removal of what was added", async () => {
    const admitted = await times(50, (index) =>
      (databases[index % 2] ?? databases[0]).transaction(async (queries) => {
        if (!(await notices.admits(queries, PSU, NOW))) return false;
        await notices.tell(queries, {
          psu: PSU,
          change: APP,
          at: NOW,
          language: "cs",
          requestId: "request-1",
        });
        return true;
      }),
    );
    expect(admitted.filter(Boolean)).to.have.length(30);
    const store = createPasskeyStore(databases[0], notices);
    expect(await store.add(newPasskey(), by())).to.equal("too_often");
    expect(await store.add(newPasskey(), by(later(HOUR)))).to.equal("added");
    expect(await store.add(newPasskey(), by(later(HOUR)))).to.equal("added");
    for (let change = 0; change < 30; change += 1)
      await databases[0].transaction((queries) =>
        notices.tell(queries, {
          psu: PSU,
          change: APP,
          at: later(HOUR),
          language: "cs",
          requestId: "request-1",
        }),
      );
    const [{ id } = { id: "" }] = await store.list(PSU);
    expect(await store.remove({ id, psu: PSU }, by(later(HOUR)))).to.equal("removed");
  });

  it("are taken in the order in which they are due", async () => {
    for (const seconds of [-10, -30, -20]) await change(later(seconds));
    const first = [await one().take(NOW, 1), await other().take(NOW, 1), await one().take(NOW, 1)].flat();
    expect(first.map(({ occurredAt }) => occurredAt)).to.deep.equal([later(-30), later(-20), later(-10)]);
  });

  it("are delivered ten at a time, the next ten at once, each even if another one fails", async () => {
    for (let index = 0; index < 11; index += 1) await change(later(index - 20));
    const { log, lines } = readableLog();
    const told: string[] = [];
    let round = async () => -1;
    startTelling({
      notices: one(),
      deliver: async ({ id }) => {
        told.push(id);
        if (told.length === 1) throw new Error("broken");
      },
      gaveUp: () => expect.fail("none is over"),
      clock: { now: () => NOW, monotonicMilliseconds: () => 0 },
      log,
      again: (each, fail) => {
        round = () => each(new AbortController().signal).catch(fail);
        return { stop: async () => {} };
      },
    });
    expect(await round()).to.equal(1_000);
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["notices to PSUs could not be delivered"]);
    expect(new Set(told).size).to.equal(10);
    expect(await audited()).to.have.length(9);
    expect(await round()).to.equal(1_000);
    expect(await audited()).to.have.length(10);
    for (let index = 0; index < 10; index += 1) await change(later(-5));
    expect(await round()).to.equal(0);
    expect(await round()).to.equal(1_000);
    expect(await audited()).to.have.length(20);
  });

  const delivered = (told: string, psu = PSU) =>
    ({
      id: randomUUID(),
      psu,
      language: "cs",
      text: told,
      purpose: "notice",
      requestId: "request-1",
      expiresAt: later(72 * HOUR),
    }) as const;
  const openInbox = () =>
    createSandboxInbox(databases[0], createSecretKey(Buffer.alloc(32, 7)), {
      now: () => NOW,
      monotonicMilliseconds: () => 0,
    });

  it("appear once in the inbox of the sandbox, however often they are delivered", async () => {
    const [inbox, text] = [openInbox(), delivered("told")];
    await times(50, () => inbox.deliver(text));
    await inbox.deliver(delivered("told"));
    expect(await inbox.read(PSU)).to.have.length(2);
  });

  it("stay in the inbox of the sandbox while among the newest twenty of their PSU", async () => {
    const [inbox, karel] = [openInbox(), parsePsuId("psu-karel")];
    await inbox.deliver(delivered("first", karel));
    for (let nth = 1; nth <= 22; nth += 1) await inbox.deliver(delivered(String(nth)));
    const texts = (await inbox.read(PSU)).map(({ text }) => text);
    expect(texts).to.deep.equal(Array.from({ length: 20 }, (_, index) => String(22 - index)));
    await inbox.deliver(delivered("second", karel));
    const ofKarel = ["second", "first"].map((text) => ({ text, deliveredAt: NOW }));
    expect(await inbox.read(karel)).to.deep.equal(ofKarel);
    expect(await query("SELECT FROM sandbox_message")).to.have.length(22);
  });
});
