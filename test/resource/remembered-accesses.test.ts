import { parseAccountId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import {
  type Database,
  isDatabaseUnavailable,
  migrateDatabase,
  openDatabase,
  Secret,
} from "@cobs/service-edge";
import { expect } from "chai";
import type { ConsentId } from "../../packages/resource/src/introspection/token-introspection.ts";
import { countAccessesIn } from "../../packages/resource/src/unattended/access-counts-postgres.ts";
import { rememberAccesses } from "../../packages/resource/src/unattended/remembered-accesses.ts";
import {
  createUnattendedAccesses,
  type UnattendedAccesses,
} from "../../packages/resource/src/unattended/unattended-accesses.ts";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { PATIENT } from "../support/test-databases.ts";

const MINUTE = 60_000;
const TPP = parseOrganisationIdentifier("PSDCZ-CNB-99000011");

describe("an access without the PSU, as remembered by a process", () => {
  let databaseClock: DatabaseWithMovableClock;
  let tunnel: CuttableTunnel;
  let database: Database;
  let clock: MovableClock;
  let accesses: UnattendedAccesses;
  let misses: number;
  let consents = 0;

  before(async () => {
    databaseClock = await createDatabaseWithMovableClock();
    const { log } = readableLog();
    const url = new URL(databaseClock.url);
    await migrateDatabase({ url: new Secret(url.href), directory: MIGRATIONS_DIRECTORY, log });
    tunnel = await openTunnel(Number(url.port));
    url.port = String(tunnel.port);
    const options = { maxConnections: 4, applicationName: "memory", log, timeLimits: PATIENT };
    database = openDatabase({ url: new Secret(url.href), ...options });
  });
  after(async () => {
    await database.close();
    await tunnel.cut();
  });
  beforeEach(() => {
    consents += 1;
    clock = movableClock();
    misses = 0;
    accesses = inOneProcess();
  });

  function inOneProcess(): UnattendedAccesses {
    const countCache = () => ({
      hit: () => {},
      missed: () => {
        misses += 1;
      },
    });
    return createUnattendedAccesses({
      counts: countAccessesIn(database),
      remembered: rememberAccesses({ clock, countCache }),
      limits: { ofEverybody: 4, ofTpps: new Map() },
    });
  }

  const ask = (unattended = true, work = async () => "answer", asked = accesses) =>
    asked.within(
      {
        admission: { consentId: `consent-${consents}` as ConsentId, tpp: { organisationIdentifier: TPP } },
        account: parseAccountId("account-1"),
        resource: "balance",
        unattended,
      },
      work,
    );

  async function countedBegins(): Promise<number> {
    const text = "SELECT cardinality(began_at) AS begins FROM unattended_access WHERE consent_id = $1";
    const values = [`consent-${consents}`];
    const [row] = await database.run<{ begins: number }>({ name: "begins", text, values });
    return row?.begins ?? 0;
  }

  it("is served while the database is down; a new one is not, and a call with the PSU is", async () => {
    await ask();
    await tunnel.cut();
    try {
      expect(await ask()).to.equal("answer");
      expect(await ask(false)).to.equal("answer");
      const error = await rejectionOf(ask(true, undefined, inOneProcess()));
      expect(isDatabaseUnavailable(error)).to.equal(true);
    } finally {
      await tunnel.mend();
    }
  });

  it("ends after fifteen minutes, also when the machine was suspended or its clock set back", async () => {
    const jumps = {
      "both clocks go on": () => clock.advance(15 * MINUTE),
      "the machine was suspended, and what counts its running time with it": () => clock.setWall(15 * MINUTE),
      "the wall clock was set back meanwhile": () => {
        clock.advance(15 * MINUTE);
        clock.setWall(-60 * MINUTE);
      },
    };
    for (const [what, jump] of Object.entries(jumps)) {
      clock = movableClock();
      accesses = inOneProcess();
      await ask();
      const before = misses;
      await ask();
      expect(misses, what).to.equal(before);
      jump();
      await ask();
      expect(misses, what).to.equal(before + 1);
    }
  });

  it("ends when it does in the database, though this process learned of it late", async () => {
    await ask(true, undefined, inOneProcess());
    await databaseClock.advance(14 * MINUTE);
    await ask();
    clock.advance(MINUTE);
    await databaseClock.advance(MINUTE);
    await ask();
    expect(await countedBegins()).to.equal(2);
  });

  it("does not begin when its work fails, and begins with the next that succeeds", async () => {
    const failing = async () => {
      throw new Error("the bank is silent");
    };
    expect((await rejectionOf(ask(true, failing))).message).to.equal("the bank is silent");
    expect(await countedBegins()).to.equal(0);
    await ask();
    expect(await countedBegins()).to.equal(1);
  });

  it("is refused before any work at the limit, mostly without the database, and no longer than needed", async () => {
    for (let access = 0; access < 4; access += 1) {
      await ask();
      clock.advance(16 * MINUTE);
      await databaseClock.advance(16 * MINUTE);
    }
    let worked = 0;
    const work = async () => {
      worked += 1;
      return "answer";
    };
    const before = misses;
    for (let call = 0; call < 10; call += 1)
      expect(await rejectionOf(ask(true, work))).to.include({ code: "access_limit" });
    expect([worked, misses - before]).to.deep.equal([0, 1]);
    await databaseClock.advance(24 * 60 * MINUTE);
    clock.advance(4_999);
    expect(await rejectionOf(ask(true, work))).to.include({ code: "access_limit" });
    clock.advance(1);
    expect(await ask(true, work)).to.equal("answer");
  });

  it("gives no answer when others have used up all accesses while its work was done", async () => {
    const passTime = async () => {
      clock.advance(16 * MINUTE);
      await databaseClock.advance(16 * MINUTE);
    };
    for (let access = 0; access < 3; access += 1) {
      await ask();
      await passTime();
    }
    const slow = async () => {
      await ask(true, undefined, inOneProcess());
      await passTime();
      return "answer";
    };
    expect(await rejectionOf(ask(true, slow))).to.include({ code: "access_limit" });
  });

  it("is remembered until its end, however long nobody asks", async () => {
    await ask();
    const begun = misses;
    clock.advance(14 * MINUTE);
    await ask();
    expect(misses - begun).to.equal(0);
  });

  it("is remembered for 20,000 subjects at most: the longest unused are asked for again", () => {
    let entries = () => 0;
    const memory = rememberAccesses({
      clock,
      countCache: (_name, size) => {
        entries = size;
        return { hit: () => {}, missed: () => {} };
      },
    });
    const subjectOf = (place: number) => ({
      consentId: `consent-${place}` as ConsentId,
      account: parseAccountId("account-1"),
      resource: "balance" as const,
    });
    const running = { kind: "running", remainingMilliseconds: MINUTE } as const;
    for (let place = 0; place < 20_010; place += 1) memory.ask(subjectOf(place)).keep(running);
    expect(entries()).to.equal(20_000);
    expect(memory.find(subjectOf(0))).to.equal(undefined);
    expect(memory.find(subjectOf(20_009))).to.deep.include({ kind: "running" });
  });
});
