import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import { fetchVerificationKeys } from "../../packages/resource/src/introspection/verification-keys.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";

const MINUTE_MILLISECONDS = 60_000;
const HEADER = { alg: "ES256", kid: "k1" };
const TOKEN = { payload: "", signature: "" };

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const KEY_SET = JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), ...HEADER }] });

describe("the keys with which auth signs", () => {
  /** Keys of an auth that answers like that; each of its answers waits for this. */
  function keysOf({
    status = 200,
    body = KEY_SET,
  }: {
    readonly status?: number;
    readonly body?: string;
  } = {}) {
    const clock = movableClock();
    let fetches = 0;
    let held = Promise.resolve();
    let isAway = false;
    const { log, lines } = readableLog();
    const get = async () => {
      fetches += 1;
      await held;
      if (isAway) throw new Error("auth is away");
      return { status, body, header: () => undefined };
    };
    const keys = fetchVerificationKeys({ client: { get }, clock, log });
    return {
      keys,
      clock,
      find: async () => keys.find(HEADER, TOKEN),
      fetches: () => fetches,
      goAway: () => {
        isAway = true;
      },
      comeBack: () => {
        isAway = false;
      },
      lines,
      hold: () => {
        let release = () => {};
        held = new Promise((resolve) => (release = resolve));
        return () => release();
      },
    };
  }

  it("are fetched once for all who need one at the same time", async () => {
    const { find, fetches } = keysOf();
    await Promise.all(Array.from({ length: 50 }, find));
    expect(fetches()).to.equal(1);
  });

  it("are as old as the question, however late the answer", async () => {
    const { find, fetches, hold, clock } = keysOf();
    const release = hold();
    const found = find();
    await eventually(() => fetches() === 1);
    clock.advance(MINUTE_MILLISECONDS / 2);
    release();
    await found;
    clock.advance(MINUTE_MILLISECONDS / 2 - 1);
    await find();
    expect(fetches()).to.equal(1);
    clock.advance(1);
    await find();
    expect(fetches()).to.equal(2);
  });

  it("are fetched again for an unknown key five seconds after they were, and not sooner", async () => {
    const { keys, find, fetches, clock } = keysOf();
    const findUnknown = () => rejectionOf((async () => keys.find({ ...HEADER, kid: "k2" }, TOKEN))());
    await find();
    clock.advance(4_999);
    expect(await findUnknown()).to.include({ code: "ERR_JWKS_NO_MATCHING_KEY" });
    expect(fetches()).to.equal(1);
    clock.advance(1);
    expect(await findUnknown()).to.include({ code: "ERR_JWKS_NO_MATCHING_KEY" });
    expect(fetches()).to.equal(2);
  });

  it("are forgotten on an unknown ending, which may be that of a key, and on none of anything else", async () => {
    const { keys, find, fetches } = keysOf();
    await find();
    keys.take({ kind: "token", hash: "hash" });
    keys.take({ kind: "signing_approved", request: "request" });
    for (const kind of ["consent", "card_consent", "application", "psu_blocked"] as const)
      keys.take({ kind, id: "id" });
    await find();
    expect(fetches()).to.equal(1);
    keys.take({ kind: "unknown" });
    await find();
    expect(fetches()).to.equal(2);
  });

  it("count as fetched, so that the process stays ready, even when forgotten while auth is away", async () => {
    const { keys, find, goAway } = keysOf();
    await find();
    keys.take({ kind: "signing_key_dropped", kid: HEADER.kid });
    goAway();
    expect(await keys.wereFetched()).to.equal(true);
    expect(await rejectionOf(find())).to.include({ message: "auth is away" });
  });

  it("have the log say why they keep the process from being ready, once, and when they were fetched", async () => {
    const unlike = keysOf({ status: 403 });
    for (const _ of [1, 2, 3]) expect(await unlike.keys.wereFetched()).to.equal(false);
    const told = unlike.lines.map(({ msg, detail }) => [msg, detail]);
    const detail = "the key set was answered with 403";
    expect(told).to.deep.equal([["the keys of auth cannot be fetched", detail]]);
    const { keys, goAway, comeBack, lines } = keysOf();
    goAway();
    await keys.wereFetched();
    comeBack();
    for (const _ of [1, 2]) expect(await keys.wereFetched()).to.equal(true);
    const sentences = lines.map(({ msg }) => msg);
    expect(sentences).to.deep.equal([
      "the keys of auth cannot be fetched",
      "the keys of auth have been fetched",
    ]);
  });

  it("have the log say that they were fetched, also when a call has fetched them", async () => {
    const { keys, find, goAway, comeBack, lines } = keysOf();
    goAway();
    await keys.wereFetched();
    comeBack();
    await find();
    for (const _ of [1, 2]) expect(await keys.wereFetched()).to.equal(true);
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "the keys of auth cannot be fetched",
      "the keys of auth have been fetched",
    ]);
  });

  for (const [what, answer] of Object.entries({
    "another status, whatever comes with it": { status: 500 },
    "no JSON": { body: "keys" },
    "no object": { body: "[]" },
    "keys that are no list": { body: JSON.stringify({ keys: {} }) },
  }))
    it(`are unusable after an answer with ${what} (RFC 7517 section 5)`, async () => {
      const { find, keys } = keysOf(answer);
      expect(await rejectionOf(find())).to.include({ name: "IntrospectionRefusal", code: "keys_unusable" });
      expect(await keys.wereFetched()).to.equal(false);
    });
});
