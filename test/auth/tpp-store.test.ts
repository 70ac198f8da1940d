import { parseOrganisationIdentifier, type TppIdentity, thumbprintOf } from "@cobs/psd2-certificates";
import type { Statement } from "@cobs/service-edge";
import { expect } from "chai";
import { createTppStore } from "../../packages/auth/src/tpp/tpp-postgres.ts";
import { movableClock } from "../support/movable-clock.ts";

function identityWith(...roles: TppIdentity["roles"]): TppIdentity {
  return {
    organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
    organisationName: "TPP",
    country: "CZ",
    authority: { id: "CZ-CNB", name: "Czech National Bank" },
    roles,
    thumbprint: thumbprintOf(Buffer.from(roles.join())),
    twinThumbprint: undefined,
    serialNumber: "01",
    issuer: "CN=Test",
    notBefore: new Date(0),
    notAfter: new Date("2100-01-01"),
  };
}

const BOTH = identityWith("PSP_AI", "PSP_PI");
const ONE = identityWith("PSP_AI");

/** A store whose statements end when they are told to, and which tells the roles that each has written. */
function openStore() {
  const statements: { readonly roles: unknown; readonly end: () => void }[] = [];
  const run = <Row>({ values }: Statement) =>
    new Promise<readonly Row[]>((resolve) => {
      statements.push({ roles: values.at(-1), end: () => resolve([]) });
    });
  const clock = movableClock();
  const store = createTppStore({ run }, clock);
  const written = () => statements.map(({ roles }) => roles);
  return { store, statements, written, clock };
}

describe("The record of a TPP's last certificate", () => {
  it("is written once for all calls at one moment and in the next seconds", async () => {
    const { store, statements, written } = openStore();
    const calls = Array.from({ length: 50 }, () => store.remember(BOTH));
    statements[0]?.end();
    await Promise.all(calls);
    await store.remember(BOTH);
    expect(written()).to.deep.equal([BOTH.roles]);
  });

  it("is written again after five seconds, because another process may have written another certificate", async () => {
    const { store, statements, written, clock } = openStore();
    const first = store.remember(BOTH);
    statements[0]?.end();
    await first;
    clock.advance(4_999);
    await store.remember(BOTH);
    expect(written()).to.have.length(1);
    clock.advance(1);
    void store.remember(BOTH);
    expect(written()).to.deep.equal([BOTH.roles, BOTH.roles]);
  });

  it("is written again after two certificates were written in parallel, because either may be the last", async () => {
    const { store, statements, written } = openStore();
    const [first, second] = [store.remember(BOTH), store.remember(ONE)];
    // The database has carried them out in turn, and the answer to the second is read first.
    statements[1]?.end();
    await second;
    statements[0]?.end();
    await first;
    void store.remember(BOTH);
    expect(written()).to.deep.equal([BOTH.roles, ONE.roles, BOTH.roles]);
  });

  it("is written by a call that comes while another certificate is being written", async () => {
    const { store, statements, written } = openStore();
    const before = store.remember(BOTH);
    statements[0]?.end();
    await before;
    void store.remember(ONE);
    void store.remember(BOTH);
    expect(written()).to.deep.equal([BOTH.roles, ONE.roles, BOTH.roles]);
  });
});
