import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { PrivateServiceUnavailable, type Round } from "@cobs/service-edge";
import { expect } from "chai";
import type { Ending } from "../../../packages/resource/src/endings/ending.ts";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type { Payer, PayerFilter } from "../../../packages/resource/src/payments/payment-store.ts";
import {
  followPaymentConsents,
  type PaymentConsentParts,
} from "../../../packages/resource/src/signing/follow-payment-consents.ts";
import { type QueuedPayers, queuePayers } from "../../../packages/resource/src/signing/queue-payers.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const { organisationIdentifier } = sampleTerms();
const payerNamed = (psu: string): Payer => ({
  organisationIdentifier,
  applicationId: parseApplicationId("application-1"),
  psu: parsePsuId(psu),
});
const [ANNA, BAD, CYRIL] = [payerNamed("anna"), payerNamed("bad"), payerNamed("cyril")];

describe("The job that ends payments with their consents", () => {
  /** Rounds are turned by hand; auth is asked by whatever `answer` says. */
  function follow(
    answer: (payer: Payer) => Promise<boolean>,
    findWaiting?: () => readonly Payer[],
    changed: Partial<PaymentConsentParts["store"] & PaymentConsentParts["authority"]> = {},
  ) {
    const clock = movableClock();
    const { log, lines } = readableLog();
    const [ended, asked]: [string[], string[]] = [[], []];
    const rounds: Round[] = [];
    const waiting = findWaiting ?? (() => [BAD, ANNA, CYRIL].filter(({ psu }) => !ended.includes(psu)));
    const never = () => Promise.reject(new TypeError("nobody should ask"));
    const payers: QueuedPayers = { ...queuePayers(), wait: async () => {} };
    const parts: PaymentConsentParts = {
      store: {
        takeApproval: never,
        takeRefusal: never,
        takeExpiry: never,
        takeCancellation: never,
        takeConsentEnd: never,
        waitingPayers: async ({ psu }: PayerFilter) =>
          waiting().filter((each) => psu === undefined || each.psu === psu),
        findUnasked: async () => [],
        attachKnown: never,
        endWaiting: async ({ psu }) => {
          ended.push(psu);
          return { ended: [], asked: [] };
        },
        ...changed,
      },
      authority: {
        findKnown: never,
        cancel: never,
        hasConsentEnded: (payer) => {
          asked.push(payer.psu);
          return answer(payer);
        },
        ...changed,
      },
      payers,
      clock,
      log,
      countJob: () => (round, fail) => {
        rounds.push((signal) => round(signal).catch(fail));
        return { stop: async () => {} };
      },
    };
    followPaymentConsents(parts);
    const [round] = rounds;
    const turn = async () => {
      asked.length = 0;
      await round?.(new AbortController().signal);
      return asked.join(" ");
    };
    return { turn, ended, payers, clock, lines };
  }

  const silentAbout = (bad: () => boolean) => async (payer: Payer) => {
    if (payer.psu === BAD.psu && bad()) throw new PrivateServiceUnavailable("auth", { cause: "silence" });
    return true;
  };

  it("ends those of all other payers, and asks again, ever later, about one for whom auth gives no answer", async () => {
    let isBad = true;
    const { turn, ended, payers, clock } = follow(silentAbout(() => isBad));
    payers.put({});
    expect(await turn()).to.equal("bad anna cyril");
    expect(ended).to.deep.equal(["anna", "cyril"]);
    expect(await turn(), "not everybody again").to.equal("");
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      clock.advance(pause - 1);
      expect(await turn(), `before ${pause} ms`).to.equal("");
      clock.advance(1);
      expect(await turn(), `after ${pause} ms`).to.equal("bad");
    }
    isBad = false;
    clock.advance(60_000);
    expect(await turn()).to.equal("bad");
    expect(ended).to.include("bad");
    clock.advance(600_000);
    expect(await turn(), "once it is done").to.equal("");
  });

  it("asks at once on a new event about that payer, and no more when none of their payments waits", async () => {
    let waiting: readonly Payer[] = [BAD];
    const { turn, payers, clock } = follow(
      silentAbout(() => true),
      () => waiting,
    );
    payers.put({});
    await turn();
    payers.put(BAD);
    expect(await turn()).to.equal("bad");
    waiting = [];
    clock.advance(60_000);
    expect(await turn()).to.equal("");
    waiting = [BAD];
    clock.advance(60_000);
    expect(await turn()).to.equal("");
  });

  it("asks again about payers for whom the database gave no answer", async () => {
    let isAway = true;
    const { turn, payers } = follow(async () => true, undefined, {
      waitingPayers: async () => {
        if (isAway) throw Object.assign(new Error("the server ends"), { code: "57P01" });
        return [ANNA];
      },
    });
    payers.put({});
    expect(await turn()).to.equal("");
    isAway = false;
    expect(await turn()).to.equal("anna");
  });

  it("forgets no payer while auth is silent, even of more than it can keep", async () => {
    const many = Array.from({ length: 10_001 }, (_, number) => payerNamed(`psu-${number}`));
    let isSilent = true;
    const answer = async () => {
      if (isSilent) throw new PrivateServiceUnavailable("auth", { cause: "silence" });
      return true;
    };
    const { turn, ended, payers } = follow(answer, () => many);
    payers.put({});
    await turn();
    isSilent = false;
    await turn();
    expect(new Set(ended)).to.have.property("size", many.length);
  });

  it("ends a payment that auth has only after its request there is over", async () => {
    const requestId = requestNamed("R-1");
    const done: string[] = [];
    const report = { state: "cancelled", because: undefined, requestId, url: "https://auth" } as const;
    const { turn, payers } = follow(async () => true, undefined, {
      cancel: async () => {
        done.push("cancel");
        return report;
      },
      takeCancellation: async () => {
        done.push("take");
        return { result: "unknown" };
      },
      endWaiting: async () => {
        done.push("end");
        return { ended: [], asked: done.length === 1 ? [requestId] : [] };
      },
    });
    payers.put({ psu: ANNA.psu });
    await turn();
    expect(done).to.deep.equal(["end", "cancel", "take", "end"]);
  });

  it("asks auth about payments never sent there before ending them, and records which ones it has", async () => {
    const unasked = [1, 2].map(() => ({ paymentId: createPaymentId(), signId: createSignId() }));
    const requestId = requestNamed("R-1");
    const done: unknown[] = [];
    const { turn, payers, lines } = follow(async () => true, undefined, {
      findUnasked: async () => unasked,
      findKnown: async (named) => {
        done.push(named);
        return named.map((each) => ({ ...each, requestId }));
      },
      attachKnown: async ({ paymentId }, request) => {
        done.push([paymentId, request]);
        // Somebody else was first with the other one.
        return paymentId === unasked[0]?.paymentId;
      },
      endWaiting: async () => {
        done.push("end");
        return { ended: [], asked: [] };
      },
    });
    payers.put({ psu: ANNA.psu });
    await turn();
    const attached = unasked.map(({ paymentId }) => [paymentId, requestId]);
    expect(done).to.deep.equal([unasked, ...attached, "end"]);
    expect(lines.map(({ signing }) => signing)).to.deep.equal([requestId]);
  });

  it("ends some of a payer's payments at a time, so that other payers need not wait for the rest", async () => {
    const dora = {
      ...payerNamed("dora"),
      organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-7"),
    };
    const portions = Array.from({ length: 4 }, () => createPaymentId());
    const done: string[] = [];
    const { turn, payers } = follow(
      async () => true,
      () => [ANNA, CYRIL, dora],
      {
        endWaiting: async ({ psu }, _act, { after } = {}) => {
          done.push(psu);
          if (done.length === 2) payers.put({ psu: dora.psu });
          const place = after === undefined ? 0 : portions.indexOf(after) + 1;
          const last = psu === ANNA.psu ? portions[place] : undefined;
          return { ended: [], asked: [], ...(last !== undefined && { last }) };
        },
      },
    );
    payers.put({ psu: ANNA.psu });
    payers.put({ psu: CYRIL.psu });
    await turn();
    expect(done).to.deep.equal(["anna", "cyril", "anna", "dora", "anna", "anna", "anna"]);
  });

  it("goes on behind a payment whose request auth cannot end, and tries that one again", async () => {
    const [first, second] = [createPaymentId(), createPaymentId()];
    const [bad, good] = [requestNamed("R-1"), requestNamed("R-2")];
    const report = { state: "cancelled", because: undefined, requestId: good, url: "https://auth" } as const;
    let isBad = true;
    const done: unknown[] = [];
    const { turn, payers, clock, lines } = follow(
      async () => true,
      () => (isBad ? [ANNA] : []),
      {
        cancel: async (requestId) => {
          done.push(requestId);
          if (requestId === bad) throw new TypeError("a report that is not believed");
          return report;
        },
        takeCancellation: async () => ({ result: "unknown" }),
        endWaiting: async (_payer, _act, { after, limit } = {}) => {
          done.push(after);
          if (limit === undefined) return { ended: [], asked: [] };
          if (after === undefined) return { ended: [], asked: [bad, good], last: first };
          return { ended: [], asked: [], ...(after === first && { last: second }) };
        },
      },
    );
    payers.put({ psu: ANNA.psu });
    await turn();
    const walk = [undefined, bad, good, undefined, first, second];
    expect(done).to.deep.equal(walk);
    clock.advance(1_000);
    await turn();
    expect(done, "a second later").to.deep.equal([...walk, ...walk]);
    expect(lines).to.have.length(2);
    isBad = false;
    clock.advance(2_000);
    await turn();
    expect(done, "when none waits").to.have.length(12);
  });

  it("ends none beyond those about which auth was asked, though another process has ended some of them", async () => {
    const unasked = Array.from({ length: 100 }, () => ({
      paymentId: createPaymentId(),
      signId: createSignId(),
    }));
    const spans: unknown[] = [];
    const { turn, payers } = follow(async () => true, undefined, {
      findUnasked: async (_payer, { after } = {}) => (after === undefined ? unasked : []),
      findKnown: async () => [],
      endWaiting: async (_payer, _act, span = {}) => {
        spans.push(span);
        return { ended: [], asked: [], ...(span.until !== undefined && { last: span.until }) };
      },
    });
    payers.put({ psu: ANNA.psu });
    await turn();
    const last = unasked[99]?.paymentId;
    expect(spans).to.deep.equal([
      { after: undefined, until: last, limit: 100 },
      { after: last, until: undefined, limit: 100 },
    ]);
  });

  it("ends no payment of a payer while auth does not say which orders it has", async () => {
    const silent = () => Promise.reject(new PrivateServiceUnavailable("auth", { cause: "silence" }));
    const { turn, ended, payers } = follow(
      async () => true,
      () => [ANNA],
      {
        findUnasked: async () => [{ paymentId: createPaymentId(), signId: createSignId() }],
        findKnown: silent,
      },
    );
    payers.put({});
    await turn();
    expect(ended).to.deep.equal([]);
  });

  it("spares payments entered after the PSU allowed payments again, while earlier ones are ended", async () => {
    const requestId = requestNamed("R-1");
    let [isOver, waiting] = [true, ["before"]];
    const { turn, payers, lines } = follow(
      async () => isOver,
      () => [ANNA],
      {
        cancel: async () => {
          isOver = false;
          waiting = ["new"];
          return { state: "cancelled", because: undefined, requestId, url: "https://auth" };
        },
        takeCancellation: async () => ({ result: "unknown" }),
        endWaiting: async () => {
          const asked = waiting.includes("before") ? [requestId] : [];
          if (asked.length === 0) waiting = [];
          return { ended: [], asked };
        },
      },
    );
    payers.put({ psu: ANNA.psu });
    const askedAbout = await turn();
    expect(waiting).to.deep.equal(["new"]);
    expect(askedAbout).to.equal("anna anna");
    expect(lines).to.deep.equal([]);
  });

  it("logs a failure other than auth being away, once a round", async () => {
    const { turn, payers, lines } = follow(() => Promise.reject(new Error("an answer of nonsense")));
    payers.put({});
    expect(await turn()).to.equal("bad anna cyril");
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["payments could not be ended with their consents"]);
  });
});

describe("Payers whose payments may end with an event", () => {
  const applicationId = ANNA.applicationId;
  const nobody = { organisationIdentifiers: new Set<never>(), thumbprints: new Set<never>() };

  it("are all payers when it is unknown what happened", () => {
    const payers = queuePayers();
    payers.begin(nobody);
    expect(payers.takeAll()).to.deep.equal([{}]);
  });

  const told: readonly (readonly [Ending, PayerFilter | undefined])[] = [
    [
      { kind: "payment_consent", applicationId, psu: "anna" },
      { applicationId, psu: ANNA.psu },
    ],
    [{ kind: "application", id: applicationId }, { applicationId }],
    [{ kind: "psu_blocked", id: "anna" }, { psu: ANNA.psu }],
    [{ kind: "tpp_blocked", organisationIdentifier }, { organisationIdentifier }],
    [{ kind: "tpp_released", organisationIdentifier }, undefined],
    [{ kind: "consent", id: "consent-1" }, undefined],
  ];
  for (const [ending, payersOf] of told)
    it(`are those that the event ${ending.kind} is about`, () => {
      const payers = queuePayers();
      payers.take(ending);
      expect(payers.takeAll()).to.deep.equal(payersOf === undefined ? [] : [payersOf]);
    });

  it("are again those whose payment is entered when an event about them has come since, and nobody else", () => {
    const payers = queuePayers();
    payers.take({ kind: "psu_blocked", id: "anna" });
    const heard = payers.heard();
    payers.takeAll();
    payers.putIfHeard(heard, ANNA);
    payers.take({ kind: "payment_consent", applicationId, psu: "anna" });
    payers.take({ kind: "tpp_released", organisationIdentifier });
    payers.takeAll();
    payers.putIfHeard(heard, CYRIL);
    expect(payers.takeAll()).to.deep.equal([]);
    payers.putIfHeard(heard, ANNA);
    expect(payers.takeAll()).to.deep.equal([ANNA]);
    for (let nth = 0; nth < 1_000; nth += 1) payers.take({ kind: "psu_blocked", id: `psu-${nth}` });
    payers.takeAll();
    payers.putIfHeard(heard, CYRIL);
    expect(payers.takeAll(), "it is not known any more whom the first was about").to.deep.equal([CYRIL]);
  });

  it("are all payers when there is no room to list them, so that none is forgotten", () => {
    const payers = queuePayers();
    for (let nth = 0; nth <= 10_000; nth += 1) payers.put({ psu: parsePsuId(`psu-${nth}`) });
    expect(payers.takeAll()).to.deep.equal([{}]);
  });
});
