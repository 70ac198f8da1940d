import { expect } from "chai";
import type { RunningAuth } from "../running-auth.ts";
import { FORM_BODY } from "../test-application.ts";
import { expectFlood, expectLimited, type LimitedAuth, oneTooMany, runLimited } from "./limited-auth.ts";

const IBAN = "CZ6508000000192000145399";

describe("The limit of introspection, over two processes", function introspectionLimit() {
  this.timeout(120_000);
  let limited: LimitedAuth;
  before(async () => {
    limited = await runLimited({
      INTROSPECTIONS_PER_MINUTE: "5",
      BANK_CALLERS: "resource=introspect,feed;operator=introspect",
    });
  });
  after(() => limited.stop());

  const introspect = (at: RunningAuth, caller?: "operator") =>
    at.callAsBank(
      {
        method: "POST",
        path: "/oauth/introspect",
        headers: FORM_BODY,
        body: `token=a&client_id=${caller ?? "resource"}`,
      },
      caller,
    );

  it("counts each caller of the bank by itself, and answers with an OAuth error", async () => {
    const call = (at: RunningAuth) => introspect(at);
    const refused = await expectFlood(limited, { calls: 30, call, status: 200, perMinute: 5 });
    for (const answer of refused) expectLimited(answer);
    expect((await introspect(limited.second, "operator")).status).to.equal(200);
  });

  it("counts look-ups of consents to card issuers separately from introspections", async () => {
    const lookUp = (at: RunningAuth, caller?: "operator") =>
      at.callAsBank({ path: `/card-consents?organisationIdentifier=PSDCZ-CNB-1&iban=${IBAN}` }, caller);
    await limited.forget();
    const flood = { calls: 30, call: (at: RunningAuth) => lookUp(at), status: 200, perMinute: 5 };
    for (const answer of await expectFlood(limited, flood)) expectLimited(answer);
    expect((await introspect(limited.auth)).status).to.equal(200);
    await limited.often(10, (at) => introspect(at, "operator"));
    expectLimited(await oneTooMany(() => introspect(limited.auth, "operator")));
    expect((await lookUp(limited.auth, "operator")).status).to.equal(200);
  });

  it("leaves the event feed open to a caller that has reached it", async () => {
    await limited.often(10, (at) => introspect(at));
    expectLimited(await oneTooMany(() => introspect(limited.auth)));
    expect((await limited.auth.callAsBank({ path: "/events?after=0" })).status).to.equal(200);
  });
});
