import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "../test-application.ts";
import { refresh } from "../use-tokens.ts";

type Headers = Readonly<Record<string, string | string[]>>;

/** So that a test of many changes at once is not one of limits. */
const MANY_CHANGES = {
  APPLICATION_CHANGES_PER_MINUTE: "100000",
  TOKEN_REQUESTS_PER_MINUTE: "1000000",
  ADDRESS_REQUESTS_PER_MINUTE: "1000000",
};

describe("An application under conditional requests (RFC 9110 8.8.3, 13.1)", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth(MANY_CHANGES);
  });
  after(() => auth.stop());

  const pathOf = ({ client_id }: Pick<TestApplication, "client_id">) => `${APPLICATIONS}/${client_id}`;
  const read = (application: TestApplication, headers: Headers = {}) =>
    auth.call({ path: pathOf(application), headers });
  const put = (application: TestApplication, name: string, headers: Headers = {}) =>
    auth.call({
      method: "PUT",
      path: pathOf(application),
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify({
        ...REGISTRATION,
        client_name: name,
        redirect_uris: [`https://tpp.example/${name}`],
      }),
    });
  const renew = (application: TestApplication, headers: Headers = {}) =>
    auth.call({ method: "POST", path: `${pathOf(application)}/renewSecret`, headers });
  const remove = (application: TestApplication, headers: Headers = {}) =>
    auth.call({ method: "DELETE", path: pathOf(application), headers });
  const tagOf = ({ headers }: RawAnswer) => String(headers.etag);
  const expectOutdated = (answer: RawAnswer) => {
    expect(answer.status, answer.body).to.equal(412);
    const { error, error_description } = JSON.parse(answer.body);
    expect([error, error_description]).to.deep.equal([
      "invalid_request",
      "the application's ETag is not what If-Match or If-None-Match requires: read the application again",
    ]);
  };

  it("has a strong ETag in every answer, and a new one after every change", async () => {
    const registered = await postRegistration(auth, REGISTRATION);
    const application: TestApplication = { ...JSON.parse(registered.body), certificate: "aisp-pisp" };
    expect(tagOf(registered)).to.match(/^"[\x21\x23-\x7e]{20,}"$/);
    expect(tagOf(await read(application))).to.equal(tagOf(registered));
    const changed = await put(application, "a");
    expect(tagOf(await read(application))).to.equal(tagOf(changed));
    const same = await put(application, "a");
    const renewed = await renew(application);
    expect(tagOf(await read(application))).to.equal(tagOf(renewed));
    const tags = [registered, changed, same, renewed].map(tagOf);
    expect(new Set(tags).size).to.equal(tags.length);
  });

  it("is not sent again to a reader whose If-None-Match names its state (304, 13.1.2)", async () => {
    const application = await register(auth);
    const tag = tagOf(await read(application));
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await read(application, { "if-none-match": known });
      expect([answer.status, answer.body], known).to.deep.equal([304, ""]);
      expect(tagOf(answer)).to.equal(tag);
    }
    expect((await read(application, { "if-none-match": '"other"' })).status).to.equal(200);
  });

  it("is checked against If-Match before If-None-Match (412, 13.1.1, 13.2.2)", async () => {
    const application = await register(auth);
    const tag = tagOf(await read(application));
    for (const meant of [tag, "*"])
      expect((await read(application, { "if-match": meant })).status, meant).to.equal(200);
    for (const meant of ['"other"', `W/${tag}`])
      expectOutdated(await read(application, { "if-match": meant, "if-none-match": tag }));
    expect((await read(application, { "if-match": tag, "if-none-match": tag })).status).to.equal(304);
  });

  it("takes several header lines of ETags as one list (5.3)", async () => {
    const application = await register(auth);
    const lines = async () => ['"other"', tagOf(await read(application))];
    expect((await read(application, { "if-none-match": await lines() })).status).to.equal(304);
    expect((await put(application, "a", { "if-match": await lines() })).status).to.equal(200);
    expectOutdated(await put(application, "b", { "if-match": ['"other"', '"another"'] }));
  });

  it("is changed under If-Match only in the state named, and without If-Match always (13.1.1)", async () => {
    const application = await register(auth);
    const first = tagOf(await read(application));
    const second = tagOf(await put(application, "a", { "if-match": first }));
    expectOutdated(await put(application, "b", { "if-match": first }));
    expectOutdated(await renew(application, { "if-match": first }));
    expectOutdated(await remove(application, { "if-match": first }));
    expectOutdated(await put(application, "b", { "if-match": `W/${second}` }));
    expect(JSON.parse((await read(application)).body).client_name).to.equal("a");
    expect((await put(application, "c")).status).to.equal(200);
    expect((await put(application, "d", { "if-match": "*" })).status).to.equal(200);
    const latest = tagOf(await renew(application, { "if-match": tagOf(await read(application)) }));
    // Empty members of the list count for nothing (5.6.1.2).
    expect((await remove(application, { "if-match": `, "other",, ${latest} ,` })).status).to.equal(204);
  });

  it("is not changed when If-None-Match names its state or is `*` (13.1.2)", async () => {
    const application = await register(auth);
    const tag = tagOf(await read(application));
    for (const known of ["*", tag, `W/${tag}`]) {
      expectOutdated(await put(application, "a", { "if-none-match": known }));
      expectOutdated(await renew(application, { "if-none-match": known }));
      expectOutdated(await remove(application, { "if-none-match": known }));
    }
    expect(tagOf(await read(application))).to.equal(tag);
    expect((await put(application, "a", { "if-none-match": '"other"' })).status).to.equal(200);
  });

  it("refuses a malformed If-Match or If-None-Match (400)", async () => {
    const application = await register(auth);
    for (const wrong of ["abc", '"a" "b"', "**", "W/*", ",", ""]) {
      expect((await put(application, "a", { "if-match": wrong })).status, wrong).to.equal(400);
      expect((await put(application, "a", { "if-none-match": wrong })).status, wrong).to.equal(400);
      expect((await read(application, { "if-none-match": wrong })).status, wrong).to.equal(400);
    }
  });

  it("reveals nothing to another TPP, or once it is deleted, whatever ETag is sent (401)", async () => {
    const application = await register(auth);
    const tag = tagOf(await read(application));
    const foreign = { certificate: "second-tpp", path: pathOf(application), headers: { "if-match": tag } };
    expect((await auth.call({ ...foreign, method: "DELETE" })).status).to.equal(401);
    expect((await remove(application)).status).to.equal(204);
    for (const headers of [{ "if-match": tag }, { "if-match": "*" }, { "if-none-match": tag }]) {
      expect((await put(application, "a", headers)).status).to.equal(401);
      expect((await read(application, headers)).status).to.equal(401);
      expect((await remove(application, headers)).status).to.equal(401);
    }
  });

  describe("under fifty changes at once, in two processes", () => {
    let second: RunningAuth;
    before(async () => {
      second = await runAuth(MANY_CHANGES, auth);
    });
    after(() => second.stop());

    /** Sends the changes; one that finds no free connection is sent again, as its answer says. */
    async function putAtOnce(application: TestApplication, headers: Headers): Promise<readonly RawAnswer[]> {
      const send = async (index: number): Promise<RawAnswer> => {
        const body = {
          ...REGISTRATION,
          client_name: `name-${index}`,
          redirect_uris: [`https://tpp.example/name-${index}`],
        };
        const answer = await (index % 2 === 0 ? auth : second).call({
          method: "PUT",
          path: pathOf(application),
          headers: { ...JSON_BODY, ...headers },
          body: JSON.stringify(body),
        });
        return answer.status === 503 ? send(index) : answer;
      };
      return Promise.all(Array.from({ length: 50 }, (_, index) => send(index)));
    }

    it("ends up with exactly the content of one request (REG-15)", async () => {
      const application = await register(auth);
      const answers = await putAtOnce(application, {});
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200));
      expect(new Set(answers.map(tagOf)).size).to.equal(50);
      const last = await read(application);
      const { client_name, redirect_uris } = JSON.parse(last.body);
      expect(redirect_uris).to.deep.equal([`https://tpp.example/${client_name}`]);
      const winner = answers.find((answer) => tagOf(answer) === tagOf(last));
      expect(JSON.parse(winner?.body ?? "{}").client_name).to.equal(client_name);
    });

    it("keeps one working secret of all that were shown, and none after its deletion, the last change", async () => {
      const works = async (application: TestApplication, client_secret: string) =>
        (await refresh(auth, { ...application, client_secret }, "none")).body.includes("invalid_grant");
      for (const isDeleted of [false, true]) {
        const application = await register(auth);
        const path = pathOf(application);
        const send = async (index: number): Promise<RawAnswer> => {
          const at = index % 2 === 0 ? auth : second;
          const change =
            index % 3 === 0
              ? { method: "POST", path: `${path}/renewSecret` }
              : { method: "PUT", path, headers: JSON_BODY, body: JSON.stringify(REGISTRATION) };
          const answer = await at.call(index === 25 && isDeleted ? { method: "DELETE", path } : change);
          return answer.status === 503 ? send(index) : answer;
        };
        const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(index)));
        // What comes behind the deletion is of no application any more.
        const others = answers.map(({ status }) => status).filter((status) => status !== 200);
        expect(others.filter((status) => !isDeleted || status !== 401)).to.deep.equal(isDeleted ? [204] : []);
        const shown = answers.flatMap(({ status, body }) => {
          const secret = status === 200 ? JSON.parse(body).client_secret : undefined;
          return secret === undefined ? [] : [secret];
        });
        const working: boolean[] = [];
        for (const secret of [application.client_secret, ...shown])
          working.push(await works(application, secret));
        expect(working.filter(Boolean)).to.have.length(isDeleted ? 0 : 1);
        const text = "SELECT action FROM audit_entry WHERE subject = $1 ORDER BY id";
        const values = [application.client_id];
        const entries = await auth.database.run<{ action: string }>({ name: "changes", text, values });
        const done = answers.filter(({ status }) => status < 300).length;
        expect(entries).to.have.length(done + 1);
        expect(entries.at(-1)?.action === "application.deleted").to.equal(isDeleted);
      }
    });

    it("is changed once when all name the same state in If-Match", async () => {
      const application = await register(auth);
      const answers = await putAtOnce(application, { "if-match": tagOf(await read(application)) });
      const taken = answers.filter(({ status }) => status === 200);
      expect(taken).to.have.length(1);
      for (const answer of answers) if (!taken.includes(answer)) expectOutdated(answer);
      expect(tagOf(await read(application))).to.equal(taken.map(tagOf).join());
    });
  });
});
