import { randomUUID } from "node:crypto";
import { parseAccountId, parseCurrencyCode } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, migrateDatabase, openDatabase, Secret, type Statement } from "@cobs/service-edge";
import { expect } from "chai";
import type {
  BalanceCheckStore,
  NewBalanceCheck,
} from "../../packages/resource/src/balance-check/balance-check-store.ts";
import { createBalanceCheckStore } from "../../packages/resource/src/balance-check/balance-check-store-postgres.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { PATIENT } from "../support/test-databases.ts";
import { notingDatabase } from "./noting-database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TPP = parseOrganisationIdentifier("PSDCZ-CNB-1");
const OTHER_TPP = parseOrganisationIdentifier("PSDCZ-CNB-2");
const LIMITS = { perHour: 6, amountsPerHour: 3, amountsPerDay: 5 };
const CZK = parseCurrencyCode("CZK");

describe("Balance checks of TPPs (COBS RF01, and against probing)", function balanceChecks() {
  this.timeout(120_000);
  let clock: DatabaseWithMovableClock;
  let databases: readonly [Database, Database];
  let stores: readonly [BalanceCheckStore, BalanceCheckStore];

  before(async () => {
    clock = await createDatabaseWithMovableClock();
    const { log } = readableLog();
    const url = new Secret(clock.url);
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    const open = () =>
      openDatabase({ url, maxConnections: 8, applicationName: "contract", log, timeLimits: PATIENT });
    databases = [open(), open()];
    stores = [createBalanceCheckStore(databases[0]), createBalanceCheckStore(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const newId = () => randomUUID().slice(0, 18);
  const newAccount = () => parseAccountId(`account-${randomUUID()}`);
  const checkOf = (changed: Partial<NewBalanceCheck> = {}): NewBalanceCheck => ({
    organisationIdentifier: TPP,
    exchangeIdentification: newId(),
    account: newAccount(),
    amount: { minor: 49_900n, currency: CZK },
    ...changed,
  });
  const amountOf = (minor: number) => ({ minor: BigInt(minor), currency: CZK });
  const take = (check: NewBalanceCheck, place = 0) => stores[place % 2 ? 1 : 0].take(check, LIMITS);
  const resultsOf = async (checks: readonly NewBalanceCheck[]) =>
    (await Promise.all(checks.map((check, place) => take(check, place)))).map(({ result }) => result);
  const count = (results: readonly string[], wanted: string) =>
    results.filter((result) => result === wanted).length;

  it("accept an identification once when fifty use it at once in two processes, for one account or several", async () => {
    for (const account of [newAccount(), undefined]) {
      const exchangeIdentification = newId();
      const checks = Array.from({ length: 50 }, () =>
        checkOf({ exchangeIdentification, account: account ?? newAccount() }),
      );
      const results = await resultsOf(checks);
      expect([count(results, "taken"), count(results, "repeated")]).to.deep.equal([1, 49]);
    }
  });

  it("leave the identifications of one TPP free for every other", async () => {
    const check = checkOf();
    const other = { ...check, organisationIdentifier: OTHER_TPP };
    expect(await resultsOf([check, other])).to.deep.equal(["taken", "taken"]);
    expect([await stores[1].isRepeated(check), await stores[1].isRepeated(checkOf())]).to.deep.equal([
      true,
      false,
    ]);
    const alone = checkOf();
    expect((await take(alone)).result).to.equal("taken");
    expect(await stores[1].isRepeated({ ...alone, organisationIdentifier: OTHER_TPP })).to.equal(false);
  });

  it("give each answer a number of its own", async () => {
    const taken = await Promise.all(Array.from({ length: 50 }, (_, place) => take(checkOf(), place)));
    const numbers = taken.map((each) => (each.result === "taken" ? each.responseIdentification : -1n));
    expect(new Set(numbers).size).to.equal(50);
    expect(numbers.every((each) => each > 0n && each < 10n ** 18n)).to.equal(true);
  });

  it("reveal by the numbers of answers neither how many others ask nor in which order", async () => {
    const numbers: bigint[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const taken = await take(checkOf(), turn);
      numbers.push(taken.result === "taken" ? taken.responseIdentification % 1_000_000n : -1n);
    }
    expect(numbers).not.to.deep.equal(numbers.toSorted((one, other) => Number(one - other)));
    const steps = numbers.slice(1).map((number, place) => number - (numbers[place] ?? 0n));
    expect(new Set(steps).size).to.be.greaterThan(10);
  });

  it("draw another number when one is taken, and do not call the question repeated for that", async () => {
    const drawn = [7, 7, 7, 8];
    const store = createBalanceCheckStore(databases[0], () => drawn.shift() ?? 9);
    const taken = [await store.take(checkOf(), LIMITS), await store.take(checkOf(), LIMITS)];
    const numbers = taken.map((each) => (each.result === "taken" ? each.responseIdentification : -1n));
    expect(numbers.every((each) => each > 0n)).to.equal(true);
    expect(new Set(numbers).size).to.equal(2);
  });

  it("accept at most the limit when fifty ask at once about one account, and leave the rest free to ask again", async () => {
    const account = newAccount();
    const checks = Array.from({ length: 50 }, () => checkOf({ account }));
    const results = await resultsOf(checks);
    expect([count(results, "taken"), count(results, "limited")]).to.deep.equal([LIMITS.perHour, 44]);
    const refused = checks[results.indexOf("limited")] ?? checkOf();
    expect(await stores[0].isRepeated(refused)).to.equal(false);
    expect(await resultsOf([checkOf(), { ...refused, account: newAccount() }])).to.deep.equal([
      "taken",
      "taken",
    ]);
    const byAnother = checkOf({ account, organisationIdentifier: OTHER_TPP });
    expect((await take(byAnother)).result).to.equal("taken");
    await clock.advance(HOUR);
    expect((await take(checkOf({ account }))).result).to.equal("taken");
  });

  it("write nothing when they are refused for a limit, which a used identification is told before", async () => {
    const account = newAccount();
    const checks = Array.from({ length: 6 }, () => checkOf({ account }));
    await resultsOf(checks);
    const noted: Statement[] = [];
    const store = createBalanceCheckStore(notingDatabase(databases[0], noted));
    const [first = checkOf()] = checks;
    expect((await store.take(checkOf({ account }), LIMITS)).result).to.equal("limited");
    expect((await store.take(first, LIMITS)).result).to.equal("repeated");
    const elsewhere = await take(checkOf());
    if (elsewhere.result !== "taken") throw new Error("a first question was refused");
    const moved = await store.moveTo(elsewhere.responseIdentification, checkOf({ account }), LIMITS);
    expect(moved.result).to.equal("limited");
    expect(noted.map(({ text }) => text).filter((text) => /^\s*(INSERT|UPDATE)/.test(text))).to.deep.equal(
      [],
    );
  });

  it("accept at most the limit of different amounts when fifty are asked at once, and known amounts again", async () => {
    const account = newAccount();
    const checks = Array.from({ length: 50 }, (_, place) =>
      checkOf({ account, amount: amountOf(1_000 + place) }),
    );
    const results = await resultsOf(checks);
    expect(count(results, "taken")).to.equal(LIMITS.amountsPerHour);
    const known = checks[results.indexOf("taken")]?.amount ?? amountOf(0);
    expect((await take(checkOf({ account, amount: known }))).result).to.equal("taken");
  });

  it("count the same figure in two currencies as two amounts", async () => {
    const account = newAccount();
    const amounts = ["CZK", "EUR", "USD", "GBP"].map((code) => ({
      minor: 49_900n,
      currency: parseCurrencyCode(code),
    }));
    const results = await resultsOf(amounts.map((amount) => checkOf({ account, amount })));
    expect(count(results, "taken")).to.equal(LIMITS.amountsPerHour);
  });

  it("tell how long until there is room again, and there is room then", async () => {
    const account = newAccount();
    for (const minor of [1, 2, 3]) {
      expect((await take(checkOf({ account, amount: amountOf(minor) }))).result).to.equal("taken");
      await clock.advance(10 * MINUTE);
    }
    const fourth = checkOf({ account, amount: amountOf(4) });
    const limited = await take(fourth);
    if (limited.result !== "limited") throw new Error("it was not limited");
    expect(limited.remainingMilliseconds).to.be.within(25 * MINUTE, 31 * MINUTE);
    await clock.advance(limited.remainingMilliseconds);
    expect((await take(fourth)).result).to.equal("taken");
  });

  it("tell when the oldest question within the hour stops counting, not a later one", async () => {
    const account = newAccount();
    for (let turn = 0; turn < LIMITS.perHour; turn += 1) {
      expect((await take(checkOf({ account }))).result).to.equal("taken");
      await clock.advance(5 * MINUTE);
    }
    const limited = await take(checkOf({ account }));
    if (limited.result !== "limited") throw new Error("it was not limited");
    expect(limited.remainingMilliseconds).to.be.within(25 * MINUTE, 30 * MINUTE);
  });

  it("tell, when several limits are reached, when the last of them has room again", async () => {
    const account = newAccount();
    const hoursAfterEach = [1, 1, 0, 0, 0];
    for (const [place, hours] of hoursAfterEach.entries()) {
      expect((await take(checkOf({ account, amount: amountOf(place + 1) }))).result).to.equal("taken");
      await clock.advance(hours * HOUR);
    }
    const limited = await take(checkOf({ account, amount: amountOf(6) }));
    if (limited.result !== "limited") throw new Error("it was not limited");
    expect(limited.remainingMilliseconds).to.be.within(22 * HOUR - 5 * MINUTE, 22 * HOUR);
  });

  it("count an amount in the hour of each question about it, also if it was asked about before", async () => {
    const account = newAccount();
    const ask = async (minor: number) => (await take(checkOf({ account, amount: amountOf(minor) }))).result;
    expect(await ask(1)).to.equal("taken");
    await clock.advance(50 * MINUTE);
    expect(await ask(1)).to.equal("taken");
    await clock.advance(15 * MINUTE);
    expect([await ask(2), await ask(3), await ask(4)]).to.deep.equal(["taken", "taken", "limited"]);
    await clock.advance(50 * MINUTE);
    expect([await ask(4), await ask(1)]).to.deep.equal(["taken", "limited"]);
  });

  it("count different amounts per day too, each once, so that waiting each hour reveals no balance by halving", async () => {
    const account = newAccount();
    let taken = 0;
    for (let minor = 1; minor <= 20; minor += 1) {
      const { result } = await take(checkOf({ account, amount: amountOf(minor) }));
      if (result === "taken") taken += 1;
      await clock.advance(30 * MINUTE);
    }
    expect(taken).to.equal(LIMITS.amountsPerDay);
    expect((await take(checkOf({ account, amount: amountOf(1) }))).result).to.equal("taken");
  });

  it("count an amount for one day and no longer, and each that lapses makes room for one", async () => {
    const account = newAccount();
    const ask = (minor: number) => take(checkOf({ account, amount: amountOf(minor) }));
    for (let minor = 1; minor <= LIMITS.amountsPerDay; minor += 1) {
      expect((await ask(minor)).result).to.equal("taken");
      await clock.advance(30 * MINUTE);
    }
    const limited = await ask(6);
    if (limited.result !== "limited") throw new Error(`it was ${limited.result}`);
    await clock.advance(limited.remainingMilliseconds);
    expect([(await ask(6)).result, (await ask(7)).result]).to.deep.equal(["taken", "limited"]);
    await clock.advance(24 * HOUR);
    expect((await ask(7)).result).to.equal("taken");
  });

  it("give an identification back, but still count what was asked with it", async () => {
    const account = newAccount();
    const check = checkOf({ account });
    for (let turn = 0; turn < LIMITS.perHour; turn += 1) {
      const taken = await take(check, turn);
      if (taken.result !== "taken") throw new Error(`it was ${taken.result}`);
      await stores[1].giveBack(taken.responseIdentification);
    }
    expect((await take(check)).result).to.equal("limited");
  });

  it("count for the account of the answer, up to its limit, and no longer for the one asked about first", async () => {
    const [first, answered] = [newAccount(), newAccount()];
    const taken: { readonly check: NewBalanceCheck; readonly named: bigint }[] = [];
    for (let turn = 0; turn < 2 * LIMITS.perHour; turn += 1) {
      // Half of them would be too many about one account.
      const check = checkOf({ account: turn % 2 ? first : newAccount() });
      const outcome = await take(check, turn);
      if (outcome.result !== "taken") throw new Error(`it was ${outcome.result}`);
      taken.push({ check: { ...check, account: answered }, named: outcome.responseIdentification });
    }
    const moved = await Promise.all(
      taken.map(({ check, named }, place) => stores[place % 2 ? 1 : 0].moveTo(named, check, LIMITS)),
    );
    const results = moved.map(({ result }) => result);
    expect([count(results, "taken"), count(results, "limited")]).to.deep.equal([6, 6]);
    expect((await take(checkOf({ account: answered }))).result).to.equal("limited");
    const listed = await stores[0].listOf(answered, { after: undefined, limit: 50 });
    const named = moved.flatMap((each) => (each.result === "taken" ? [each.responseIdentification] : []));
    expect(listed.map(({ responseIdentification }) => responseIdentification)).to.have.members(named);
    const left = results.filter((result, place) => place % 2 === 1 && result === "limited").length;
    expect(await stores[0].listOf(first, { after: undefined, limit: 50 })).to.have.length(left);
  });

  it("fail to keep an answer or give it back when the database does not confirm it", async () => {
    const database = openDatabase({
      url: new Secret(clock.url),
      maxConnections: 1,
      applicationName: "closed",
      log: readableLog().log,
    });
    await database.close();
    const store = createBalanceCheckStore(database);
    for (const act of [() => store.keepAnswer(1n, true), () => store.giveBack(1n)])
      expect(await rejectionOf(act())).to.be.instanceOf(Error);
  });

  it("are listed without an answer that was kept but given back, because nobody received it", async () => {
    const account = newAccount();
    const taken = await take(checkOf({ account }));
    if (taken.result !== "taken") throw new Error(`it was ${taken.result}`);
    await stores[0].keepAnswer(taken.responseIdentification, true);
    await stores[1].giveBack(taken.responseIdentification);
    const [told] = await stores[0].listOf(account, { after: undefined, limit: 1 });
    expect(told).to.include({ responseIdentification: taken.responseIdentification, enough: undefined });
  });

  it("are listed with their answers by account, newest first, page by page (PSD2 Article 65(5))", async () => {
    const account = newAccount();
    const [APPROVED, DECLINED, UNANSWERED] = [true, false, undefined];
    const asked = [];
    for (const enough of [APPROVED, DECLINED, UNANSWERED]) {
      const taken = await take(checkOf({ account, amount: amountOf(asked.length + 1) }));
      if (taken.result !== "taken") throw new Error(`it was ${taken.result}`);
      const { responseIdentification } = taken;
      if (enough !== undefined) await stores[0].keepAnswer(responseIdentification, enough);
      asked.unshift({ responseIdentification, amount: `0.0${asked.length + 1} CZK`, enough });
      await clock.advance(MINUTE);
    }
    const first = await stores[1].listOf(account, { after: undefined, limit: 2 });
    const after = first.at(-1)?.responseIdentification;
    const rest = await stores[1].listOf(account, { after, limit: 2 });
    const told = [...first, ...rest].map(({ checkedAt: _time, organisationIdentifier, ...each }) => {
      expect(organisationIdentifier).to.equal(TPP);
      return each;
    });
    expect(told).to.deep.equal(asked);
    expect(await stores[1].listOf(newAccount(), { after: undefined, limit: 2 })).to.deep.equal([]);
  });

  it("are listed newest first also within one second, and none of the same moment twice", async () => {
    const account = newAccount();
    const drawn = [4, 3, 2, 1];
    const store = createBalanceCheckStore(databases[0], () => drawn.shift() ?? 0);
    const asked: bigint[] = [];
    while (drawn.length > 0) {
      const taken = await store.take(checkOf({ account }), LIMITS);
      if (taken.result === "taken") asked.unshift(taken.responseIdentification);
    }
    const tell = async () => {
      const told: bigint[] = [];
      for (;;) {
        const [next] = await store.listOf(account, { after: told.at(-1), limit: 1 });
        if (next === undefined) return told;
        told.push(next.responseIdentification);
      }
    };
    expect(asked).to.have.lengthOf(4);
    expect(await tell()).to.deep.equal(asked);
    const text = "UPDATE balance_check SET checked_at = now() WHERE account_id = $1";
    await databases[0].run({ name: "", text, values: [account] });
    expect((await tell()).toSorted()).to.deep.equal(asked.toSorted());
    expect(await store.listOf(account, { after: 1n, limit: 1 })).to.deep.equal([]);
  });

  it("do not count for the time by which the database's clock was ahead, once it is right again", async () => {
    const account = newAccount();
    const ask = async () => (await take(checkOf({ account }))).result;
    await clock.advanceDays(400);
    for (let left = LIMITS.perHour; left > 0; left -= 1) expect(await ask()).to.equal("taken");
    expect(await ask()).to.equal("limited");
    await clock.advanceDays(-400);
    expect(await ask()).to.equal("taken");
  });

  it("count for 24 hours, are deleted in batches after their days, and leave the identification free in between", async () => {
    const DAYS = 2;
    await clock.advance(DAYS * 24 * HOUR);
    while ((await stores[0].forgetOld(100, DAYS)) > 0);
    const old = [checkOf(), checkOf(), checkOf()];
    for (const check of old) await take(check);
    await clock.advance(24 * HOUR - MINUTE);
    expect(await stores[0].forgetOld(2, 1)).to.equal(0);
    expect((await take(old[0] ?? checkOf())).result).to.equal("repeated");
    expect(await stores[0].isRepeated(old[1] ?? checkOf())).to.equal(true);
    await clock.advance(MINUTE);
    expect(await stores[0].isRepeated(old[1] ?? checkOf())).to.equal(false);
    expect((await take(old[0] ?? checkOf())).result).to.equal("taken");
    expect(await stores[0].forgetOld(2, DAYS)).to.equal(0);
    await clock.advance(24 * HOUR);
    const deleted = await Promise.all(stores.map((store) => store.forgetOld(2, DAYS)));
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).to.equal(3);
  });
});
