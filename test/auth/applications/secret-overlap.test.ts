import { expect } from "chai";
import { createKey } from "../profiles/fapi2-application.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { APPLICATIONS, JSON_BODY, postForm, register, type TestApplication } from "../test-application.ts";

const OVERLAP_SECONDS = 60;

describe("The former secret of an application", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth({ SECRET_OVERLAP_SECONDS: String(OVERLAP_SECONDS) });
  });
  after(() => auth.stop());

  async function renew(application: TestApplication, server = auth): Promise<TestApplication> {
    const path = `${APPLICATIONS}/${application.client_id}/renewSecret`;
    const answer = await server.call({ method: "POST", path });
    expect(answer.status, answer.body).to.equal(200);
    return { ...application, client_secret: JSON.parse(answer.body).client_secret };
  }
  const works = async (application: TestApplication, server = auth) => {
    const { status, body } = await postForm(server, "/oauth/revoke", application, { token: "none" });
    expect(status, body).to.be.oneOf([200, 401]);
    return status === 200;
  };
  const endOverlap = ({ client_id }: TestApplication) =>
    auth.database.run({
      name: "end-overlap",
      text: "UPDATE application SET former_secret_until = now() WHERE id = $1",
      values: [client_id],
    });

  it("works beside the new one for as long as the bank has configured", async () => {
    const before = await register(auth);
    const after = await renew(before);
    expect([await works(before), await works(after)]).to.deep.equal([true, true]);
    const text = `SELECT extract(epoch FROM former_secret_until - now())::float AS left FROM application WHERE id = $1`;
    const statement = {
      name: "overlap",
      text: text.replace("AS left", 'AS "left"'),
      values: [before.client_id],
    };
    const [row] = await auth.database.run<{ left: number }>(statement);
    expect(row?.left).to.be.within(1, OVERLAP_SECONDS);
    await endOverlap(before);
    expect([await works(before), await works(after)]).to.deep.equal([false, true]);
  });

  it("is the latest one alone: a second renewal ends a secret that leaked", async () => {
    const leaked = await register(auth);
    const second = await renew(leaked);
    const third = await renew(second);
    expect([await works(leaked), await works(second), await works(third)]).to.deep.equal([false, true, true]);
  });

  it("ends when its application is deleted, like the present one", async () => {
    const before = await register(auth);
    const after = await renew(before);
    const path = `${APPLICATIONS}/${before.client_id}`;
    expect((await auth.call({ method: "DELETE", path })).status).to.equal(204);
    expect([await works(before), await works(after)]).to.deep.equal([false, false]);
  });

  it("ends when the application moves up to profile fapi2, like the present one", async () => {
    const before = await register(auth);
    const after = await renew(before);
    const { members } = await createKey();
    const answer = await auth.call({
      method: "PUT",
      path: `${APPLICATIONS}/${before.client_id}`,
      headers: JSON_BODY,
      body: JSON.stringify(members),
    });
    expect(answer.status, answer.body).to.equal(200);
    expect([await works(before), await works(after)]).to.deep.equal([false, false]);
  });

  it("is stored only as its SHA-256", async () => {
    const before = await register(auth);
    await renew(before);
    const text = "SELECT a::text AS row FROM application a WHERE id = $1";
    const [row] = await auth.database.run<{ row: string }>({
      name: "look",
      text,
      values: [before.client_id],
    });
    expect(row?.row).not.to.contain(before.client_secret);
  });

  it("stops working at once unless the bank has configured otherwise (COBS PDF 1.4.1.5)", async () => {
    const strict = await runAuth({}, auth);
    try {
      const before = await register(strict);
      const after = await renew(before, strict);
      expect([await works(before, strict), await works(after, strict)]).to.deep.equal([false, true]);
    } finally {
      await strict.stop();
    }
  });
});
