import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { makeBoundCode } from "../../packages/auth/src/signing/bound-code.ts";
import { judgeApproval } from "../../packages/auth/src/signing/judge-approval.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import type { SigningStore } from "../../packages/auth/src/signing/signing-store.ts";
import { movableClock } from "../support/movable-clock.ts";
import {
  ACT,
  BROWSER,
  by,
  key,
  later,
  NOW,
  openSigningStores,
  requestsIn,
  type SigningStores,
  wrong,
} from "./signing-stores.ts";

describe("Hold-off of PSUs in the signing store", () => {
  let stores: SigningStores;
  let databases: readonly [Database, Database];
  let one: SigningStore;
  let other: SigningStore;
  before(async () => {
    stores = await openSigningStores();
    ({ databases, one, other } = stores);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { newTerms, request, code, enter, stateOf, audited } = requestsIn(() => stores);

  it("begins after five wrong codes in a row, for any orders, also with fifty at once (RTS Article 4(3)(b))", async () => {
    const psu = parsePsuId("psu-guessed");
    const orders = await Promise.all(Array.from({ length: 10 }, () => request({ psu })));
    const rights = await Promise.all(orders.map((terms) => code(terms)));
    const settled = await Promise.all(
      orders.flatMap((terms, at) =>
        Array.from({ length: 5 }, (_, index) =>
          enter(terms, wrong(rights[at] ?? ""), { store: index % 2 ? one : other }),
        ),
      ),
    );
    expect(settled.filter((each) => each?.move !== undefined)).to.have.length(5);
    const begun = settled.filter((each) => each?.move !== undefined && each.heldOff !== undefined);
    const heldOff = { because: "failures", until: later(15) };
    expect(
      begun.map((each) => each?.heldOff),
      "the last one tells it",
    ).to.deep.equal([heldOff]);
    const [first, ...others] = orders;
    const left = (await stateOf(others[8] ?? newTerms())) === "waiting" ? others[8] : first;
    if (left === undefined) throw new Error("there is no order");
    const right = rights[orders.indexOf(left)] ?? "";
    const held = await enter(left, right);
    expect([held?.move, held?.heldOff]).to.deep.equal([undefined, heldOff]);
    const refused = await one.settle(left.id, by(), () => ({ move: "refuse", reason: "declined" }));
    expect(refused?.request.state, "refusing an order always goes").to.equal("refused");
    const found = [await other.findHoldOff(psu, later(14)), await other.findHoldOff(psu, later(15))];
    expect(found).to.deep.equal([heldOff, undefined]);
    expect(await other.findHoldOff(parsePsuId("psu-careful"), NOW)).to.equal(undefined);
    const next = await request({ psu });
    const anew = await code(next, BROWSER, 15);
    expect((await enter(next, anew, { minutes: 15 }))?.move?.move).to.equal("approve");
  });

  it("counts wrong codes anew after each approval, and per PSU", async () => {
    const psu = parsePsuId("psu-clumsy");
    for (let round = 0; round < 3; round += 1) {
      const terms = await request({ psu });
      const right = await code(terms);
      for (let tried = 0; tried < 4; tried += 1) await enter(terms, wrong(right));
      expect((await enter(terms, right))?.move?.move).to.equal("approve");
    }
  });

  it("stays for a PSU while another one approves, and affects nobody for the wrong codes of another", async () => {
    const [guessed, careful] = [parsePsuId("psu-guessed-at"), parsePsuId("psu-beside")];
    const [tried, approved] = [await request({ psu: guessed }), await request({ psu: careful })];
    const [right, rightBeside] = [await code(tried), await code(approved)];
    for (let tries = 0; tries < 5; tries += 1) await enter(tried, wrong(right));
    expect(await other.findHoldOff(careful, NOW)).to.equal(undefined);
    expect((await enter(approved, rightBeside))?.move?.move).to.equal("approve");
    expect(await other.findHoldOff(guessed, NOW)).to.deep.equal({ because: "failures", until: later(15) });
  });

  it("limits the codes sent to a PSU in an hour, for however many orders at once, in two processes", async () => {
    const psu = parsePsuId("psu-flooded");
    const limited = [createSigningStore(databases[0], 3), createSigningStore(databases[1], 3)] as const;
    const orders = await Promise.all(Array.from({ length: 10 }, () => request({ psu })));
    const ask = (terms: SigningTerms, index: number, minutes = 0) => {
      const { kept } = makeBoundCode(key, { request: terms, browser: BROWSER }, later(minutes));
      const store = index % 2 ? limited[0] : limited[1];
      return store.settle(terms.id, by(minutes), () => ({ move: "replace_code", code: kept }));
    };
    const asked = await Promise.all(orders.map((terms, index) => ask(terms, index)));
    expect(asked.filter((each) => each?.move?.move === "replace_code")).to.have.length(3);
    const held = asked.filter((each) => each?.move === undefined);
    const heldOff = { because: "codes", until: later(60) };
    expect(held.map((each) => each?.heldOff)).to.deep.equal(Array(7).fill(heldOff));
    const found = [
      await limited[1].findHoldOff(psu, later(59)),
      await limited[1].findHoldOff(psu, later(60)),
    ];
    expect(found).to.deep.equal([heldOff, undefined]);
    const late = await request({ psu, expiresAt: later(120) });
    expect((await ask(late, 0, 60))?.move?.move).to.equal("replace_code");
  });

  it("counts a code that did not arrive only towards the hourly limit of its PSU", async () => {
    const terms = await request();
    const right = await code(terms);
    const dropped = await one.settle(terms.id, by(), () => ({ move: "drop_code" }));
    expect(dropped?.request).to.include({ state: "waiting", code: undefined, codesMade: 0 });
    expect((await enter(terms, right))?.move?.move).to.equal("count_try");
    expect(await audited(terms)).to.include("signing.code_undelivered");
  });

  it("approves none of fifty orders at once for a PSU whom the bank has blocked since they signed in", async () => {
    const [psu, blocks] = [parsePsuId("psu-blocked"), createPsuBlocks(databases[1], movableClock())];
    const orders = await Promise.all(Array.from({ length: 50 }, () => request({ psu })));
    const rights = await Promise.all(orders.map((terms) => code({ ...terms })));
    const actor = { kind: "operator", name: "test", certificate: undefined } as const;
    let isBlocked = false;
    const outcomes = await Promise.all([
      ...orders.map(async (terms, at) => {
        const begunAfter = isBlocked;
        const element = { element: "delivered_code", code: rights[at] ?? "", browser: BROWSER } as const;
        const decide = judgeApproval(key, { signedInBy: ["password", "totp"], element }, NOW);
        const signedIn = {
          act: { ...ACT, actor: { kind: "psu", psu } },
          now: NOW,
          authenticatedAt: NOW,
        } as const;
        const store = at % 2 ? one : other;
        const settled = await store.settle(terms.id, signedIn, decide);
        return begunAfter ? settled?.move?.move : undefined;
      }),
      blocks.block({ psu, reason: "test" }, { actor, requestId: "block" }).then(() => {
        isBlocked = true;
        return undefined;
      }),
    ]);
    expect(outcomes.every((move) => move === undefined)).to.equal(true);
    const last = await request({ psu });
    const at = { act: { ...ACT, actor: { kind: "psu", psu } }, now: NOW, authenticatedAt: NOW } as const;
    const settled = await one.settle(last.id, at, () => ({ move: "refuse", reason: "declined" }));
    expect([settled?.move, settled?.request.state]).to.deep.equal([undefined, "waiting"]);
  });
});
