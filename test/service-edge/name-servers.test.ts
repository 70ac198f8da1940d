import { createNameServerLookup } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { type NameServer, openNameServer } from "../support/name-server.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startWaiting } from "../support/stopwatch.ts";

/** A lookup that gets an answer waits for less, and one that does not waits longer. */
const SOON_MILLISECONDS = 1_000;

describe("Lookup of a name at name servers", () => {
  let server: NameServer;
  let find: Parameters<typeof openNameServer>[0];

  beforeEach(async () => {
    server = await openNameServer((name, family) => find(name, family));
  });
  afterEach(() => server.close());

  const lookUp = (name: string) => createNameServerLookup([server.address])(name);

  it("gives its addresses of both kinds", async () => {
    find = (_name, family) => (family === 4 ? ["192.0.2.1", "192.0.2.2"] : ["2001:db8:0:0:0:0:0:1"]);
    expect(await lookUp("keys.example")).to.deep.equal([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
  });

  it("gives those of one kind when there are no others", async () => {
    find = (_name, family) => (family === 6 ? ["2001:db8:0:0:0:0:0:1"] : []);
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "2001:db8::1", family: 6 }]);
  });

  it("refuses a name that does not exist, whatever this machine's hosts file says", async () => {
    find = () => undefined;
    expect((await rejectionOf(lookUp("localhost"))).message).to.include("ENOTFOUND");
    expect(new Set(server.asked)).to.deep.equal(new Set(["localhost"]));
  });

  it("is not delayed by many names that nobody answers for", async () => {
    find = (name) => (name.endsWith("silent.example") ? "silent" : ["192.0.2.1"]);
    const silent = Array.from({ length: 50 }, (_, at) => rejectionOf(lookUp(`${at}.silent.example`)));
    await eventually(() => server.asked.length >= silent.length);
    const waited = startWaiting();
    await lookUp("keys.example");
    expect(waited()).to.be.below(SOON_MILLISECONDS);
    await Promise.all(silent);
  });

  it("does not say that a name has no address when its name servers cannot be reached", async () => {
    const gone = await openNameServer(() => []);
    gone.close();
    expect((await rejectionOf(createNameServerLookup([gone.address])("keys.example"))).message).to.equal(
      "keys.example got no address from name servers: ECONNREFUSED",
    );
  });

  it("gives up after a second and a half when nobody answers", async () => {
    find = () => "silent";
    const began = performance.now();
    expect((await rejectionOf(lookUp("keys.example"))).message).to.equal(
      "keys.example got no answer from name servers within 1500 ms",
    );
    // The timer is of whole milliseconds; a machine that has much to do is late.
    expect(performance.now() - began).to.be.at.least(1_499);
  });

  it("reports no answer, rather than no address, when one kind is empty and the other unanswered", async () => {
    find = (_name, family) => (family === 4 ? [] : "silent");
    expect((await rejectionOf(lookUp("keys.example"))).message).to.include("got no answer");
  });

  it("gives the addresses of one kind when nobody answers for the other", async () => {
    find = (_name, family) => (family === 4 ? ["192.0.2.1"] : "silent");
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "192.0.2.1", family: 4 }]);
  });

  it("asks again when a datagram is lost", async () => {
    const lost = new Set<number>();
    find = (_name, family) => {
      if (lost.has(family)) return family === 4 ? ["192.0.2.1"] : [];
      lost.add(family);
      return "silent";
    };
    expect(await lookUp("keys.example")).to.deep.equal([{ address: "192.0.2.1", family: 4 }]);
  });
});
