import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { GuardedFetch } from "@cobs/service-edge";
import { expect } from "chai";
import { exportJWK, generateKeyPair } from "jose";
import { createKeysFetch } from "../../../packages/auth/src/applications/keys-fetch.ts";
import { createPublishedKeys } from "../../../packages/auth/src/applications/published-keys.ts";
import { eventually } from "../../support/eventually.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { type NameServer, openNameServer } from "../../support/name-server.ts";
import { type OutsideServer, openOutsideServer } from "../../support/outside-server.ts";
import { readableLog } from "../../support/readable-log.ts";

const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-12345678");
const HOSTILE = parseOrganisationIdentifier("PSDCZ-CNB-87654321");
/** A TPP may have more, but as many as these fill a line just as well. */
const APPLICATIONS = 50;

describe("Published keys of a TPP, while another TPP's key addresses never resolve", () => {
  let keys: OutsideServer;
  let names: NameServer;
  let guarded: GuardedFetch;

  before(async () => {
    const { publicKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "one" };
    keys = await openOutsideServer(
      (_request, response) => void response.end(JSON.stringify({ keys: [jwk] })),
    );
    names = await openNameServer((name, family) => {
      if (name.endsWith("silent.example")) return "silent";
      return family === 4 ? ["127.0.0.1"] : [];
    });
    guarded = createKeysFetch(
      { allowsPrivateAddresses: false, authorities: undefined },
      { isPublic: (address) => address === "127.0.0.1", nameServers: [names.address] },
    );
  });
  after(async () => {
    await guarded.close();
    names.close();
    keys.close();
  });

  it("are fetched without delay (RL-02)", async () => {
    const clock = movableClock();
    const published = createPublishedKeys({ fetch: guarded.fetch, clock, log: readableLog().log });
    const silent = Array.from({ length: APPLICATIONS }, (_, at) =>
      published.find({ address: `http://${at}.silent.example/`, owner: HOSTILE }, "one"),
    );
    await eventually(() => names.asked.length >= APPLICATIONS);
    for (const host of ["keys.example", "other.example"]) {
      const address = `http://${host}:${keys.port}/`;
      const found = await published.find({ address, owner: OWNER }, "one");
      expect(found?.keys.map(({ kid }) => kid)).to.deep.equal(["one"]);
    }
    await Promise.all(silent);
  });
});
