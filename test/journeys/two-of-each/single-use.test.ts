import { expect } from "chai";
import type { SandboxDocument } from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TestSandbox } from "../../support/sandbox.ts";
import type { TppClient } from "../../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "../journey-sandbox.ts";
import { authorizePlainly, refreshForm } from "../plain-authorization.ts";
import { postTokenForm } from "../post-token-form.ts";
import { useSecondAuth } from "./second-services.ts";

const TRIES = 50;

describe("Pair of auth processes", function singleUse() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  const second = useSecondAuth();
  let tpp: TppClient;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
    tpp = await journeyTpp("all-roles");
  });
  beforeEach(() => forgetUsedCodes(document));

  it("accepts a code once of fifty uses at once: one 200, and invalid_grant for the others (RFC 6749 4.1.2)", async () => {
    const application = await tpp.register();
    const form = await authorizePlainly(document, application, "petr");
    const redeemed = await often((base) => untilAnswered(() => postTokenForm(tpp, base, form)));
    expect(redeemed.filter(({ status }) => status === 200)).to.have.length(1);
    const refused = redeemed.filter(({ status }) => status !== 200);
    expect(refused).to.have.length(TRIES - 1);
    for (const { status, body } of refused) {
      expect(status, JSON.stringify(body)).to.equal(400);
      expect(body.error).to.equal("invalid_grant");
    }
  });

  it("ends what a code's first use gave when it is used again (RFC 6749 4.1.2)", async () => {
    const application = await tpp.register();
    const form = await authorizePlainly(document, application, "jana");
    const first = await postTokenForm(tpp, document.auth.mutualTls, form);
    expect(first.status).to.equal(200);
    const again = await postTokenForm(tpp, second().mutualTls, form);
    expect(again.body.error).to.equal("invalid_grant");
    const refreshed = await postTokenForm(
      tpp,
      second().mutualTls,
      refreshForm(application, String(first.body.refresh_token)),
    );
    expect(refreshed.body.error).to.equal("invalid_grant");
  });

  it("accepts a refresh token in all of fifty uses at once (FAPI 2.0 5.3.2.1)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "jana" });
    const form = refreshForm(application, tokens.refreshToken ?? "");
    const answers = await often((base) => postTokenForm(tpp, base, form));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(TRIES).fill(200));
    expect(new Set(answers.map(({ body }) => body.access_token)).size).to.equal(TRIES);
  });

  /** As a TPP does that is told to try again (503): where the machine is busy, not all come to their turn in time. */
  async function untilAnswered(call: () => ReturnType<typeof postTokenForm>) {
    for (let tries = 1; ; tries++) {
      const answer = await call();
      if (answer.status !== 503 || tries === 5) return answer;
    }
  }

  function often<T>(call: (mutualTls: string) => Promise<T>): Promise<T[]> {
    const bases = [document.auth.mutualTls, second().mutualTls];
    return Promise.all(Array.from({ length: TRIES }, (_, index) => call(bases[index % bases.length] ?? "")));
  }
});
