import { expect } from "chai";
import { parseTokenDescription } from "../../packages/resource/src/introspection/parse-token-description.ts";
import {
  type RememberedTokens,
  rememberTokens,
} from "../../packages/resource/src/introspection/remembered-tokens.ts";
import type { ActiveToken } from "../../packages/resource/src/introspection/token-introspection.ts";

/** All that are remembered. */
const ROOM = 20_000;
const QUARTER = ROOM / 4;
/** As many tokens with this many accounts fill the room for accounts, long before that for tokens. */
const [MANY_ACCOUNTS, FULL_OF_ACCOUNTS] = [9_999, 240];

function tokenOf(tpp: string, { accounts = 1, consent = "consent" } = {}): ActiveToken {
  const claims = {
    active: true,
    token_type: "Bearer",
    aud: "https://rs",
    cnf: { "x5t#S256": "A".repeat(43) },
    client_id: "application",
    sub: "psu",
    scope: "aisp",
    exp: 4_000_000_000,
    organisation_identifier: `PSDCZ-CNB-${tpp}`,
    consent_id: consent,
    account_ids: Array.from({ length: accounts }, (_, place) => `account-${place}`),
    consented_services: ["aisp"],
  };
  const description = parseTokenDescription(claims, "https://rs");
  if (!description.usable) throw new Error("the token is not usable");
  return description;
}

describe("the room for remembered tokens", () => {
  let remembered: RememberedTokens;
  beforeEach(() => {
    remembered = rememberTokens();
  });

  function keep(name: string, count: number, answer: ActiveToken, from = 0): void {
    for (let place = from; place < from + count; place += 1)
      remembered.keep(`${name}-${place}`, { sentAt: 0, endsAt: 0, answer });
  }
  /** How many of the first tokens under a name are remembered; each of them has then been used. */
  const left = (name: string, count: number) =>
    Array.from({ length: count }, (_, place) => remembered.find(`${name}-${place}`)).filter(Boolean).length;

  it("can be filled by one TPP alone", () => {
    keep("one", ROOM, tokenOf("1"));
    expect(left("one", ROOM)).to.equal(ROOM);
  });

  it("loses no token of another TPP, however many new ones a TPP gets", () => {
    keep("other", 100, tokenOf("2"));
    keep("one", ROOM, tokenOf("1"));
    expect(left("one", ROOM)).to.equal(ROOM - 100);
    expect(remembered.find("one-99"), "its own oldest went").to.equal(undefined);
    keep("one", ROOM, tokenOf("1"), ROOM);
    expect(left("other", 100)).to.equal(100);
    expect(remembered.size()).to.equal(ROOM);
  });

  it("loses no token of another TPP to tokens with very many accounts", () => {
    keep("other", 100, tokenOf("2"));
    keep("one", 2 * FULL_OF_ACCOUNTS, tokenOf("1", { accounts: MANY_ACCOUNTS }));
    expect(left("other", 100)).to.equal(100);
    expect(remembered.size()).to.be.within(FULL_OF_ACCOUNTS, FULL_OF_ACCOUNTS + 100);
  });

  it("is given up by a TPP with more than a quarter for new tokens of others, although it uses its own more", () => {
    keep("one", ROOM, tokenOf("1"));
    for (const tpp of ["2", "3", "4"]) {
      keep(tpp, QUARTER, tokenOf(tpp));
      left("one", ROOM);
    }
    for (const tpp of ["2", "3", "4"]) expect(left(tpp, QUARTER), tpp).to.equal(QUARTER);
    expect(left("one", ROOM)).to.equal(QUARTER);
  });

  it("loses the least recently used token while nobody has more than a quarter", () => {
    for (const tpp of ["1", "2", "3", "4"]) keep(tpp, QUARTER, tokenOf(tpp));
    remembered.find("1-0");
    keep("5", 1, tokenOf("5"));
    expect(remembered.find("1-0")).not.to.equal(undefined);
    expect(remembered.find("1-1")).to.equal(undefined);
    expect(remembered.size()).to.equal(ROOM);
  });

  it("is free again for others when tokens of a TPP with very many end", () => {
    keep("ended", ROOM, tokenOf("1", { consent: "ended" }));
    remembered.take({ kind: "consent", id: "ended" });
    keep("one", QUARTER, tokenOf("1"));
    for (const tpp of ["2", "3", "4"]) keep(tpp, QUARTER, tokenOf(tpp));
    keep("5", 1, tokenOf("5"));
    expect(left("one", QUARTER), "the oldest of all went").to.equal(QUARTER - 1);
    expect(left("2", QUARTER)).to.equal(QUARTER);
  });

  it("does not change for a token with more accounts than there is room for", () => {
    keep("huge", 1, tokenOf("1", { accounts: 2_400_000 }));
    keep("one", ROOM + 1, tokenOf("1"));
    expect(remembered.size()).to.equal(ROOM);
    expect(remembered.find("huge-0")).to.equal(undefined);
  });

  it("counts a token once, even when it is described again", () => {
    for (let time = 0; time < 3; time += 1) keep("one", QUARTER, tokenOf("1"));
    for (const tpp of ["2", "3", "4"]) keep(tpp, QUARTER, tokenOf(tpp));
    left("one", QUARTER);
    keep("5", 1, tokenOf("5"));
    expect(left("one", QUARTER)).to.equal(QUARTER);
    expect(remembered.find("2-0")).to.equal(undefined);
  });
});
