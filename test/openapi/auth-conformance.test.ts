import { expect } from "chai";
import type { TestCall } from "../auth/auth-calls.ts";
import { BANK_ERRORS } from "../auth/errors/bank-errors.ts";
import { ENDPOINT_ERRORS } from "../auth/errors/endpoint-errors.ts";
import { presentRefusal } from "../auth/errors/error-row.ts";
import { type ErrorStage, openErrorStage } from "../auth/errors/error-stage.ts";
import { expectRefusal } from "../auth/errors/expect-refusal.ts";
import { CHALLENGE, postAs, pushedFields } from "../auth/profiles/fapi2-application.ts";
import { authorizePath } from "../auth/psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../auth/running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  JSON_BODY,
  postForm,
  REGISTRATION,
  register,
} from "../auth/test-application.ts";
import { refresh, tokensFor } from "../auth/use-tokens.ts";
import {
  faultsBySchema,
  findResponse,
  membersOf,
  namesOf,
  observe,
  shownRefusalsOf,
} from "./check-answer.ts";
import { below, OPERATIONS, operationOf } from "./interface-document.ts";
import { observedAuth, observedStage } from "./observed-servers.ts";
import { REGISTERED } from "./untold-members.ts";

/** Table: what is described and reached by no call, and why. */
const UNREACHED: readonly (readonly [which: RegExp, reason: string])[] = [
  [/ 500( |$)/, "only a fault of the server itself gives it"],
];
const OF_RESOURCE = /^\/cobs\/2\.0\/(my|payments|accounts|openapi)/;
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
const WRONG_HOST = { host: "evil.example" };
const PLACES = OPERATIONS.filter(({ path }) => !OF_RESOURCE.test(path));

describe("the authorization server, compared with its description", function conformance() {
  this.timeout(180_000);
  const observation = observe();
  let stage: ErrorStage;
  let contactable: RunningAuth;
  before(async () => {
    stage = observedStage(await openErrorStage(), observation);
    contactable = observedAuth(
      await runAuth({ SECURITY_CONTACT: "mailto:security@bank.example" }, stage.auth),
      observation,
    );
  });
  after(async () => {
    await contactable?.stop();
    await stage?.stop();
  });

  /** Makes calls, of which each answer has to be as described. */
  const conforms = (name: string, call: () => Promise<void>) =>
    it(name, async () => {
      await call();
      expect(observation.takeFaults()).to.deep.equal([]);
    });

  for (const { endpoint, rows } of ENDPOINT_ERRORS.filter((each) => each !== BANK_ERRORS)) {
    for (const row of rows) {
      conforms(`refuses at ${endpoint}: ${row.cause} (${presentRefusal(row.refusal)})`, async () => {
        expect(row.asks.length).to.be.greaterThan(0);
        for (const ask of row.asks) expectRefusal(await ask(stage), row);
      });
    }
  }

  conforms(
    "registers, reads, replaces, renews and deletes applications as described (COBS PDF 1.4.1)",
    async () => {
      const { auth, certified } = stage;
      const { client_id } = await register(auth);
      const one = `${APPLICATIONS}/${client_id}`;
      await auth.call({ path: APPLICATIONS });
      await auth.call({ path: `${APPLICATIONS}/${certified.client_id}` });
      const { headers } = await auth.call({ path: one });
      await auth.call({ path: one, headers: { "if-none-match": String(headers.etag) } });
      await register(auth, {
        "client_name#en-US": "My wallet",
        logo_uri: "https://tpp.example/logo.png",
        contact: "help@tpp.example",
      });
      await auth.call(replacing(one, REGISTRATION));
      await auth.call(replacing(APPLICATIONS, { ...REGISTRATION, client_id }));
      await auth.call({ method: "POST", path: `${one}/renewSecret` });
      await auth.call({ method: "POST", path: `${one}/renewKey` });
      await auth.call({ method: "DELETE", path: one });
    },
  );

  for (const [operationId, path, method] of [
    ["registerApplication", () => APPLICATIONS, "POST"],
    ["replaceApplication", (id: string) => `${APPLICATIONS}/${id}`, "PUT"],
    ["replaceNamedApplication", () => APPLICATIONS, "PUT"],
  ] as const)
    conforms(`accepts every example of a body, with another id, at ${operationId} (A-26)`, async () => {
      const body = operationOf(operationId).operation.requestBody?.content["application/json"];
      for (const { value } of Object.values(body?.examples ?? {})) {
        const { client_id } = await register(stage.auth);
        const sent = JSON.stringify(value).replace(/(?<="client_id":")[^"]+/, client_id);
        const call = { method, path: path(client_id), headers: JSON_BODY, body: sent };
        expect((await stage.auth.call(call)).status, sent).to.equal(method === "POST" ? 201 : 200);
      }
    });

  conforms("refuses to replace an application named in the body as described (A-26)", async () => {
    const { auth, limited, severed, sibling } = stage;
    const named = { ...REGISTRATION, client_id: sibling.client_id };
    const call = replacing(APPLICATIONS, named);
    for (const certificate of [null, "wrong-expired", "second-tpp", "aisp"])
      await auth.call({ ...call, certificate });
    for (const changed of [
      { client_name: "a".repeat(70_000) },
      { redirect_uris: [] },
      { redirect_uris: ["http://tpp.example/callback"] },
      { scopes: ["admin"] },
    ])
      await auth.call(replacing(APPLICATIONS, { ...named, ...changed }));
    await auth.call({ ...call, headers: { "content-type": "text/plain" } });
    await auth.call({ ...call, headers: { ...JSON_BODY, "if-match": '"other"' } });
    await severed.call(call);
    const counted = replacing(APPLICATIONS, { ...REGISTRATION, client_id: limited.application.client_id });
    await limited.auth.call(counted);
    await limited.auth.call(counted);
  });

  conforms("refuses a replacement that names no application, as its schema does (A-26)", async () => {
    const answer = await stage.auth.call(replacing(APPLICATIONS, REGISTRATION));
    expect(answer.status, answer.body).to.equal(400);
    const body = operationOf("replaceNamedApplication").operation.requestBody;
    const { $ref = "" } = body?.content["application/json"]?.schema ?? {};
    expect(faultsBySchema($ref, REGISTRATION)).to.have.length(1);
  });

  conforms("counts every change of an application, and refuses too many as described", async () => {
    const { auth, application } = stage.limited;
    const one = `${APPLICATIONS}/${application.client_id}`;
    await auth.call({
      method: "POST",
      path: APPLICATIONS,
      headers: JSON_BODY,
      body: JSON.stringify(REGISTRATION),
    });
    await auth.call(replacing(one, REGISTRATION));
    await auth.call({ method: "POST", path: `${one}/renewKey` });
    await auth.call({ method: "DELETE", path: one });
  });

  conforms("answers malformed paths as described", async () => {
    const { auth } = stage;
    const broken = `${APPLICATIONS}/%E0%A4%A`;
    await auth.call({ method: "DELETE", path: broken });
    await auth.call({ method: "POST", path: `${broken}/renewSecret` });
    await auth.call({ method: "POST", path: `${broken}/renewKey` });
  });

  conforms("issues and revokes tokens as described (COBS PDF 1.4.3 to 1.4.6)", async () => {
    const { auth, application, certified } = stage;
    const pushed = await postAs(auth, certified, "/oauth/par", pushedFields(certified));
    expect(pushed.status).to.equal(201);
    await auth.browse({ path: authorizePath(application) });
    await auth.call({ path: authorizePath(application) });
    const { refresh_token } = await tokensFor(auth, application);
    const refreshed = await refresh(auth, application, refresh_token);
    const answer = findResponse(operationOf("getTokens"), 200);
    const { value } = answer?.value.content?.["application/json"]?.examples?.refresh ?? {};
    expect(JSON.parse(refreshed.body)).to.include({ refresh_token }).and.to.have.all.keys(Object(value));
    await postForm(auth, "/oauth/revoke", application, { token: refresh_token });
  });

  conforms("refuses a pushed request without `client_id`, as its schema does (RFC 9126 2.1)", async () => {
    const { auth, application } = stage;
    const { client_id, client_secret } = application;
    const fields = pushedFields(application, { client_id: undefined });
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const answer = await auth.call({
      method: "POST",
      path: "/oauth/par",
      headers: { ...FORM_BODY, authorization },
      body: new URLSearchParams(fields).toString(),
    });
    expect(answer.status, answer.body).to.equal(400);
    expect(answer.body).to.include("client_id");
    const schema = "#/components/schemas/PushedRequest";
    expect(faultsBySchema(schema, fields)).to.have.length(1);
    expect(faultsBySchema(schema, pushedFields(application))).to.deep.equal([]);
  });

  for (const [name, right, wrong] of [
    ["response_type", "code", "token"],
    ["response_mode", "query", "fragment"],
    ["code_challenge", CHALLENGE, CHALLENGE.slice(1)],
    ["code_challenge_method", "S256", "plain"],
    ["prompt", "consent login", "none"],
    ["prompt", "login", "login select_account"],
  ] as const)
    conforms(
      `accepts for ${name} what its schema accepts, such as ${right}, and refuses ${wrong}`,
      async () => {
        const { auth, application } = stage;
        const { operation, pointer } = operationOf("authorize");
        const index = operation.parameters.findIndex((each) => "name" in each && each.name === name);
        const schema = below(pointer, "parameters", String(index), "schema");
        for (const value of [right, wrong]) {
          const asked = { ...PKCE, [name]: value };
          const { headers } = await auth.browse({ path: authorizePath(application, asked) });
          const isRefused = new URL(String(headers.location), ISSUER).searchParams.has("error");
          expect(isRefused, value).to.equal(value === wrong);
          expect(faultsBySchema(schema, value).length > 0, value).to.equal(isRefused);
        }
      },
    );

  conforms("publishes its metadata, keys and security contact as described", async () => {
    for (const path of ["oauth-authorization-server", "openid-configuration", "security.txt"])
      await contactable.browse({ path: `/.well-known/${path}` });
    const headers = { "x-request-id": "one", "action-id": "two" };
    const { keys } = JSON.parse((await contactable.browse({ path: "/oauth/jwks", headers })).body);
    const answer = findResponse(operationOf("readKeys"), 200);
    const { value } = answer?.value.content?.["application/jwk-set+json"]?.examples?.usual ?? {};
    expect(keys[0]).to.have.all.keys(Object(value).keys[0]);
    await stage.severed.browse({ path: "/oauth/jwks" });
    await contactable.browse({ path: "/openapi.json" });
    await stage.auth.browse({ path: "/.well-known/security.txt" });
  });

  conforms("refuses a foreign host as described", async () => {
    for (const { method, path } of PLACES) {
      const call = { method, path: path.replace("{id}", "x"), headers: { ...FORM_BODY, ...WRONG_HOST } };
      await (/^\/(openapi|oauth\/(jwks|authorize)|\.well)/.test(path)
        ? contactable.browse(call)
        : stage.auth.call(call));
    }
  });

  it("has given every status and code that is described, except those of the table", () => {
    const missing = namesOf(PLACES).filter((name) => !observation.reached.has(name));
    const unexplained = missing.filter((name) => UNREACHED.every(([which]) => !which.test(name)));
    expect(unexplained).to.deep.equal([]);
  });

  it("has answered with every member and value that is described, except those of the table", () => {
    const missing = membersOf(PLACES).filter((name) => !observation.members.has(name));
    expect(missing.filter((name) => !REGISTERED.test(name))).to.deep.equal([]);
  });

  it("has refused in the words of every example of an operation, except those of the table", () => {
    const untrue = shownRefusalsOf(PLACES).filter((shown) => !observation.refusals.has(shown));
    expect(untrue.filter((shown) => UNREACHED.every(([which]) => !which.test(shown)))).to.deep.equal([]);
  });
});

function replacing(path: string, body: object): TestCall {
  return { method: "PUT", path, headers: JSON_BODY, body: JSON.stringify(body) };
}
