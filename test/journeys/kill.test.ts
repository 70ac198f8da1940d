/**
 * kill -9 of each process in the middle of the flow: whatever was answered is still there afterwards, and no code
 * works twice. `npm run faults` runs twenty rounds; the tests run one for each process.
 */
import { expect } from "chai";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import type { ReadySandbox } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { until } from "../support/eventually.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { KILL_ROUNDS } from "../support/test-environment.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { authorizePlainly, refreshForm } from "./plain-authorization.ts";
import { postTokenForm } from "./post-token-form.ts";

type Victim = "auth" | "resource" | "postgres" | "supervisor";
const VICTIMS: readonly Victim[] = ["auth", "resource", "postgres", "supervisor"];

describe("Killed process", function killed() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let tpp: TppClient;
  /** What was answered before a kill, to be found again after every later one. */
  const answered: {
    readonly application: TppApplication;
    readonly refreshToken: string;
    readonly accessToken: string;
    readonly spent: Form;
  }[] = [];

  before(async () => {
    sandbox = await journeySandbox();
    tpp = await journeyTpp("all-roles");
    const document = await sandbox.document();
    await forgetUsedCodes(document);
    const application = await tpp.register();
    const spent = await authorizePlainly(document, application, "petr");
    answered.push(keep(application, spent, await redeem(document, spent)));
  });

  for (let round = 1; round <= KILL_ROUNDS; round += 1) {
    const victim = VICTIMS[round % VICTIMS.length] ?? "auth";

    it(`(${victim}, round ${round}) loses nothing that was answered, and revives no code`, async () => {
      let document = await sandbox.document();
      await forgetUsedCodes(document);
      const application = await tpp.register();
      const spent = await authorizePlainly(document, application, "petr");
      const tokens = await redeem(document, spent);
      expect(tokens.status, JSON.stringify(tokens.body)).to.equal(200);
      const pending = await authorizePlainly(document, application, "petr");
      const second = await tpp.register();
      const secondForm = await authorizePlainly(document, second, "jana");

      // In the middle: some calls are under way, none of them has been answered yet.
      const underWay = Array.from({ length: 8 }, () => redeem(document, secondForm).catch(() => undefined));
      const formerPid = document.processes[victim] ?? 0;
      await sandbox.kill(victim);
      const outcomes = await Promise.all(underWay);
      document = await recover(victim, formerPid);
      const used = await tpp.get(answered.at(-1)?.accessToken ?? "", "/my/accounts");
      expect(used.status, "with a token of before").to.equal(200);

      const won = outcomes.filter((outcome) => outcome?.status === 200);
      expect(won.length).to.be.at.most(1);
      const again = await redeem(document, secondForm);
      const alreadyRedeemed = won.length === 1;
      if (alreadyRedeemed) expect(again.body.error).to.equal("invalid_grant");

      // The consent that was answered last replaced the first one of this application; its code works, once.
      const redeemed = await redeem(document, pending);
      expect(redeemed.status, JSON.stringify(redeemed.body)).to.equal(200);
      expect((await redeem(document, spent)).body.error).to.equal("invalid_grant");
      answered.push(keep(application, pending, redeemed));

      for (const kept of answered) {
        const refreshed = await redeem(document, refreshForm(kept.application, kept.refreshToken));
        expect(refreshed.status, JSON.stringify(refreshed.body)).to.equal(200);
        const accounts = await tpp.get(String(refreshed.body.access_token), "/my/accounts");
        expect(accounts.status).to.equal(200);
      }
      const ids = (await tpp.applications.list()).map(({ client_id }) => client_id);
      expect(ids).to.include.members([...answered.map((kept) => kept.application.clientId), second.clientId]);
    });
  }

  it("revives no code that was redeemed before any of the kills", async () => {
    const document = await sandbox.document();
    for (const { spent } of answered)
      expect((await redeem(document, spent)).body.error).to.equal("invalid_grant");
  });

  /** The supervisor starts the others again; nobody starts the supervisor, without which the others end. */
  async function recover(victim: Victim, formerPid: number): Promise<ReadySandbox> {
    if (victim !== "supervisor") return sandbox.recovered(victim, formerPid);
    const { auth, resource, postgres } = (await sandbox.document()).processes;
    const left = [auth, resource, postgres ?? 0];
    await until(() => !left.some(isRunning), "all have ended");
    await sandbox.start();
    return sandbox.document();
  }

  type Form = Readonly<Record<string, string>>;

  function keep(application: TppApplication, spent: Form, { body }: Awaited<ReturnType<typeof redeem>>) {
    const [refreshToken, accessToken] = [String(body.refresh_token), String(body.access_token)];
    return { application, refreshToken, accessToken, spent };
  }

  const redeem = ({ auth }: ReadySandbox, form: Form) => postTokenForm(tpp, auth.mutualTls, form);
});
