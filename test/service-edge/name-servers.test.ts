import { createNameServerLookup } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { type NameServer, openNameServer } from "../support/name-server.ts";
import { rejectionOf } from "../support/rejection.ts";

/** Longer than any lookup that gets an answer, and shorter than one that does not. */
const SOON_MILLISECONDS = 1_000;

describe("A name that name servers are asked for", () => {
  let server: NameServer;
  let find: Parameters<typeof openNameServer>[0];

  beforeEach(async () => {
    server = await openNameServer((name, family) => find(name, family));
  });
  afterEach(() => server.close());

  const lookUp = (name: string) => createNameServerLookup([server.address])(name);
  async function millisecondsOf(task: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    await task();
    return performance.now() - began;
  }

  it("has its addresses of both kinds", async () => {
    find = (_name, family) => (family === 4 ? ["192.0.2.1", "192.0.2.2"] : ["2001:db8:0:0:0:0:0:1"]);
    expect(await lookUp("keys.example")).to.deep.equal([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
  });

  it("has those of the one kind that there are", async () => {
    find = (_name, family) => (family === 6 ? ["2001:db8:0:0:0:0:0:1"] : []);
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "2001:db8::1", family: 6 }]);
  });

  it("is refused when it is not there, whatever this machine's file of hosts says of it", async () => {
    find = () => undefined;
    expect((await rejectionOf(lookUp("localhost"))).message).to.include("ENOTFOUND");
    expect(new Set(server.asked)).to.deep.equal(new Set(["localhost"]));
  });

  it("waits for none of many that nobody answers for", async () => {
    find = (name) => (name.endsWith("silent.example") ? "silent" : ["192.0.2.1"]);
    const silent = Array.from({ length: 50 }, (_, at) => rejectionOf(lookUp(`${at}.silent.example`)));
    await eventually(() => server.asked.length >= silent.length);
    expect(await millisecondsOf(() => lookUp("keys.example"))).to.be.below(SOON_MILLISECONDS);
    await Promise.all(silent);
  });

  it("is given up after a second and a half when nobody answers for it", async () => {
    find = () => "silent";
    const took = await millisecondsOf(async () => {
      expect((await rejectionOf(lookUp("keys.example"))).message).to.equal(
        "keys.example was not answered for by name servers within 1500 ms",
      );
    });
    // The timer is of whole milliseconds; a machine that has much to do is late.
    expect(took).to.be.at.least(1_499);
  });

  it("is said to be unanswered, and not to have no address, when nobody answers for those of one kind and there are no others", async () => {
    find = (_name, family) => (family === 4 ? [] : "silent");
    expect((await rejectionOf(lookUp("keys.example"))).message).to.include("was not answered for");
  });

  it("has what has come by then when nobody answers for addresses of one kind", async () => {
    find = (_name, family) => (family === 4 ? ["192.0.2.1"] : "silent");
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "192.0.2.1", family: 4 }]);
  });

  it("is asked for again when a datagram is lost", async () => {
    const lost = new Set<number>();
    find = (_name, family) => {
      if (lost.has(family)) return family === 4 ? ["192.0.2.1"] : [];
      lost.add(family);
      return "silent";
    };
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "192.0.2.1", family: 4 }]);
  });
});
