import type { Socket } from "node:net";
import { expect } from "chai";
import { createSweep } from "../../packages/service-edge/src/tls/cut-without-data.ts";

/** What a record of TLS 1.3 has beside its data (RFC 8446 section 5.2). */
const RECORD_OCTETS = 22;

/** How fast a caller's octets come depends on the machine: here they are counted. Over TLS, see key-updates.openssl.ts. */
describe("Watch over callers who send much without data", () => {
  let line: number;
  let data: number;
  let told: number;
  let isCut: boolean;
  let sweep: () => void;
  beforeEach(() => {
    line = 0;
    data = 0;
    told = 0;
    isCut = false;
    const below = socketThatHasRead(() => line);
    const destroy = () => {
      isCut = true;
    };
    const secure = Object.assign(
      socketThatHasRead(() => data),
      { destroy },
    );
    const tell = () => {
      told += 1;
    };
    sweep = createSweep(() => (isCut ? [] : [{ secure, below }]), tell);
  });

  const socketThatHasRead = (octets: () => number) =>
    Object.defineProperty({}, "bytesRead", { get: octets }) as Socket;

  /** Between two sweeps: so many records, each with so much data. */
  function receive(records: number, dataOctets: number): void {
    line += records * (RECORD_OCTETS + dataOctets);
    data += records * dataOctets;
    sweep();
  }

  it("cuts one of them, and tells it once", () => {
    receive(0, 0);
    receive(100_000, 1);
    expect(isCut).to.equal(true);
    receive(100_000, 1);
    expect(told).to.equal(1);
  });

  it("cuts one of them who sends steadily, before it has sent 2 MB", () => {
    receive(0, 0);
    while (!isCut && line < 2_000_000) receive(4_000, 0);
    expect(isCut).to.equal(true);
  });

  it("cuts one of them who hides it behind calls of a third of its octets", () => {
    receive(0, 0);
    for (let sweep = 0; sweep < 20; sweep += 1) {
      line += 500_000;
      receive(20, 8_192);
    }
    expect(isCut).to.equal(true);
  });

  it("spares a caller with many octets in its handshake", () => {
    receive(100_000, 0);
    receive(1, 1);
    expect(isCut).to.equal(false);
  });

  it("spares a caller with a thousand small records in each second, for as long as it goes on", () => {
    for (let sweep = 0; sweep < 2_000; sweep += 1) receive(500, 1);
    expect(isCut).to.equal(false);
  });

  it("spares a caller with whole records, however fast", () => {
    for (let sweep = 0; sweep < 100; sweep += 1) receive(100_000, 16_384);
    expect(isCut).to.equal(false);
  });

  it("forgives no more than what a caller has sent", () => {
    for (let sweep = 0; sweep < 100; sweep += 1) receive(0, 0);
    receive(14_000, 0);
    expect(isCut).to.equal(true);
  });
});
