/**
 * Whether time tells who is a client (ASVS 10.4.16, RFC 6749 10.10): a refusal takes as long as what is done for it, so what
 * is compared is the work. Measured times would tell of the machine.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { withAnotherEnd } from "../support/another-ending.ts";
import { eventually } from "../support/eventually.ts";
import { pushedFields } from "./profiles/fapi2-application.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { postForm, register, type TestApplication } from "./test-application.ts";

const UNKNOWN = { client_id: "AAAAAAAAAAAAAAAAAAAAAA", client_secret: "a".repeat(43) };
/** What counts a failed authentication. */
const COUNTED = "rate-limit-overfill";
const FORMS = {
  "/oauth/token": { grant_type: "refresh_token", refresh_token: "none" },
  "/oauth/par": pushedFields(UNKNOWN),
  "/oauth/revoke": { token: "none" },
};

describe("The work for a client that fails authentication", function clientOracle() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;
  let foreign: TestApplication;
  /** What the server runs for itself, whoever calls. */
  let jobs: ReadonlySet<string>;
  before(async () => {
    const limits = { TOKEN_REQUESTS_PER_MINUTE: "100000", PUSHED_REQUESTS_PER_MINUTE: "100000" };
    auth = await runAuth(limits, undefined, { tunnelled: true });
    application = await register(auth);
    foreign = await register(auth, {}, "second-tpp");
    const before = auth.statements.length;
    // Each of its frequent jobs runs every second.
    await delay(2_500);
    jobs = new Set(auth.statements.slice(before));
  });
  after(() => auth.stop());

  /** What a call that is refused as `invalid_client` does and answers. */
  async function refuse(
    path: keyof typeof FORMS,
    credentials: Partial<TestApplication>,
    certificate: string,
  ) {
    const before = auth.statements.length;
    const statements = () => auth.statements.slice(before).filter((name) => !jobs.has(name));
    const { client_id: _, ...fields } = { client_id: "", ...FORMS[path] };
    const answer = await postForm(auth, path, { ...application, ...credentials }, fields, certificate);
    expect(answer.status, answer.body).to.equal(401);
    // The last thing, which for some comes after the answer.
    await eventually(() => statements().includes(COUNTED));
    return { statements: statements(), body: answer.body, headers: Object.keys(answer.headers).toSorted() };
  }

  /** The same without what a rare job of the server did meanwhile. */
  async function workOf(...call: Parameters<typeof refuse>) {
    const [work, again] = [await refuse(...call), await refuse(...call)];
    return { ...work, statements: work.statements.filter((name) => again.statements.includes(name)) };
  }

  for (const path of ["/oauth/token", "/oauth/par", "/oauth/revoke"] as const) {
    it(`is the same at ${path} for an unknown application and for another TPP's, with a right or wrong secret`, async () => {
      const { client_id, client_secret } = application;
      const unknown = await workOf(path, UNKNOWN, foreign.certificate);
      expect(unknown.statements.length).to.be.greaterThan(1);
      for (const secret of [client_secret, "wrong", withAnotherEnd(client_secret)]) {
        const known = await workOf(path, { client_id, client_secret: secret }, foreign.certificate);
        expect(known).to.deep.equal(unknown);
      }
    });

    it(`is the same at ${path} for every wrong secret of the TPP's own application, even one nearly right`, async () => {
      const { client_secret, certificate } = application;
      const nearly = withAnotherEnd(client_secret);
      const work = await workOf(path, { client_secret: nearly }, certificate);
      expect(work.statements.length).to.be.greaterThan(1);
      for (const secret of ["wrong", "a".repeat(43), "a".repeat(1_000)])
        expect(await workOf(path, { client_secret: secret }, certificate)).to.deep.equal(work);
    });
  }
});
