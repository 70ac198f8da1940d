import { expect } from "chai";
import type { SigningMove } from "../../../packages/auth/src/signing/signing-request.ts";
import {
  findHoldOff,
  type SigningStanding,
  standingAfter,
} from "../../../packages/auth/src/signing/signing-standing.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = new Date("2027-03-01T10:00:00Z");
const NONE: SigningStanding = { codes: 0, codesSince: undefined, failures: 0, heldOffUntil: undefined };
const CODES_PER_HOUR = 5;
const WRONG = { move: "count_try" } as const;
const SENT = {
  move: "replace_code",
  code: { hash: Buffer.of(1), browserHash: Buffer.of(2), expiresAt: NOW },
} as const;

const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

/** After so many more wrong elements at a moment. */
function afterWrong(count: number, now: Date, before = NONE): SigningStanding {
  return Array.from({ length: count }).reduce<SigningStanding>(
    (standing) => standingAfter(standing, WRONG, now),
    before,
  );
}

const heldOffAt = (now: Date) => afterWrong(5, now);

describe("The hold-off of a PSU after wrong codes or passkeys", () => {
  const holdOff = (standing: SigningStanding, now: Date, move: SigningMove = WRONG) =>
    findHoldOff(standing, move, { now, codesPerHour: CODES_PER_HOUR });
  const failures = (until: Date) => ({ because: "failures", until });

  it("ends after a quarter of an hour", () => {
    const standing = heldOffAt(NOW);
    expect(holdOff(standing, later(15 * MINUTE - 1))).to.deep.equal(failures(later(15 * MINUTE)));
    expect(holdOff(standing, later(15 * MINUTE))).to.equal(undefined);
  });

  it("begins again with every five more, as long as none was right (RTS Article 4(3)(b))", () => {
    const again = later(20 * MINUTE);
    const nine = afterWrong(4, again, heldOffAt(NOW));
    expect(holdOff(nine, again)).to.equal(undefined);
    expect(holdOff(afterWrong(1, again, nine), again)).to.deep.equal(failures(later(35 * MINUTE)));
  });

  it("holds at a process whose clock is up to an hour behind", () => {
    const standing = heldOffAt(later(60 * MINUTE));
    expect(holdOff(standing, NOW)).to.deep.equal(failures(later(75 * MINUTE)));
  });

  it("does not hold when it was set by a clock a day ahead, and neither does the hour of the codes", () => {
    expect(holdOff(heldOffAt(later(DAY)), NOW)).to.equal(undefined);
    const sent = { ...NONE, codes: CODES_PER_HOUR, codesSince: later(DAY) };
    const codes = { because: "codes", until: later(DAY + 60 * MINUTE) };
    expect(holdOff(sent, later(DAY), SENT)).to.deep.equal(codes);
    expect(holdOff(sent, NOW, SENT)).to.equal(undefined);
    expect(standingAfter(sent, SENT, NOW)).to.include({ codes: 1, codesSince: NOW });
  });
});

describe("The codes that a PSU can be sent in an hour", () => {
  const send = (standing: SigningStanding, now: Date) =>
    findHoldOff(standing, SENT, { now, codesPerHour: CODES_PER_HOUR }) === undefined
      ? standingAfter(standing, SENT, now)
      : standing;
  const sendAll = (before: SigningStanding, now: Date) =>
    Array.from({ length: 2 * CODES_PER_HOUR }).reduce<SigningStanding>(
      (standing) => send(standing, now),
      before,
    );

  it("count from the first of them, and after that hour begin anew", () => {
    const first = send(NONE, NOW);
    const full = sendAll(first, later(60 * MINUTE - 1));
    expect(full).to.include({ codes: CODES_PER_HOUR, codesSince: NOW });
    const anew = later(60 * MINUTE);
    expect(sendAll(full, anew)).to.deep.include({ codes: CODES_PER_HOUR, codesSince: anew });
  });
});
