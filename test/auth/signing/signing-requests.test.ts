import { createHash } from "node:crypto";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { JSON_BODY, REDIRECT_URI, register } from "../test-application.ts";
import { canonicalOrder, DOMESTIC_ORDER, SEPA_ORDER } from "./sample-orders.ts";
import { openDesk, type SigningDesk } from "./signing-desk.ts";

describe("Signing requests on the bank listener", function signingRequests() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let desk: SigningDesk;
  before(async () => {
    auth = await runAuth();
    desk = await openDesk(auth);
  });
  after(() => auth.stop());

  const refusal = async (signing: Parameters<SigningDesk["ask"]>[0]) => {
    const { status, body } = await desk.ask(signing);
    return `${status} ${JSON.parse(body).error}`;
  };

  it("are kept whole, and answered with auth's own digest and the address for the PSU (COBS 3.2.10)", async () => {
    const order = { ...SEPA_ORDER, paymentId: "P-whole" };
    const { status, body } = await desk.ask({
      body: { paymentId: "P-whole", order: canonicalOrder(order) },
    });
    expect(status, body).to.equal(201);
    const told = JSON.parse(body);
    expect(told).to.include({ paymentId: "P-whole", signId: "S-1", state: "waiting" });
    expect(told.url).to.equal(`https://localhost:8443/sign/${told.id}`);
    const digest = createHash("sha256").update(canonicalOrder(order)).digest("base64url");
    expect(told.digest).to.equal(digest);
    expect(await desk.find(told.id)).to.deep.equal(told);
  });

  it("are kept once, of fifty at once, and another order under the same ids is refused", async () => {
    const body = { paymentId: "P-again", order: canonicalOrder({ ...DOMESTIC_ORDER, paymentId: "P-again" }) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => desk.ask({ body })));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(49);
    expect(new Set(answers.map((answer) => JSON.parse(answer.body).id)).size).to.equal(1);
    const order = canonicalOrder({ ...DOMESTIC_ORDER, paymentId: "P-again", amount: "1500.51" });
    expect(await refusal({ body: { ...body, order } })).to.equal("409 request_different");
  });

  it("are refused with an order that is not canonical, or that the page would not show (RFC 8785, PAY-06)", async () => {
    const text = canonicalOrder({ ...DOMESTIC_ORDER, paymentId: "P-x" });
    const send = (order: string) => refusal({ body: { paymentId: "P-x", order } });
    expect(await send(` ${text}`)).to.equal("400 order_not_canonical");
    expect(await send(text.replace('"CZK"', '"\\u0043ZK"'))).to.equal("400 order_not_canonical");
    expect(await refusal({ order: { cashback: "1.00" } })).to.equal("400 order_malformed");
    expect(await refusal({ order: { amount: "1e3" } })).to.equal("400 order_malformed");
    expect(await refusal({ body: { paymentId: "P-of-another" } })).to.equal("400 order_malformed");
  });

  it("are refused with a return URL that is not registered, apart from its query (A-51, UI-07)", async () => {
    const foreign = [
      "https://tpp.example/callback/..",
      "https://tpp.example/callback2",
      "https://tpp.example.evil.example/callback",
      "https://user@tpp.example/callback",
      "https://tpp.example:444/callback",
      "http://tpp.example/callback",
      "//tpp.example/callback",
      "javascript:alert(1)",
      `${REDIRECT_URI}#fragment`,
      `${REDIRECT_URI}?a=\r\nx`,
      `${REDIRECT_URI}?${"a".repeat(2_048)}`,
      "",
    ];
    for (const returnUrl of foreign)
      expect(await refusal({ body: { returnUrl } }), returnUrl.slice(0, 80)).to.equal(
        "400 return_url_unregistered",
      );
    for (const returnUrl of [REDIRECT_URI, `${REDIRECT_URI}?a=1&b=%C3%A9`])
      expect((await desk.ask({ body: { returnUrl } })).status).to.equal(201);
  });

  it("lead back to the first registered return URL when none is named (A-51)", async () => {
    const order = canonicalOrder({ ...DOMESTIC_ORDER, paymentId: "P-first" });
    const body = { paymentId: "P-first", order };
    expect((await desk.ask({ body: { ...body, returnUrl: undefined } })).status).to.equal(201);
    expect((await desk.ask({ body: { ...body, returnUrl: REDIRECT_URI } })).status).to.equal(200);
    expect(await refusal({ body: { ...body, returnUrl: null } })).to.equal("400 request_malformed");
  });

  it("lead back to a native application at any valid port of loopback (RFC 8252 7.3)", async () => {
    const loopback = "http://127.0.0.1/back";
    const { client_id: clientId } = await register(auth, {
      applicationType: "native",
      redirect_uris: [loopback, "cz.example.app:/back"],
    });
    for (const returnUrl of ["http://127.0.0.1:51234/back", loopback, "cz.example.app:/back?a=1"])
      expect((await desk.ask({ body: { clientId, returnUrl } })).status, returnUrl).to.equal(201);
    for (const returnUrl of [
      "http://127.0.0.1:99999/back",
      "http://127.0.0.1:51234@evil.example/back",
      "http://127.0.0.1:51234/other",
      "http://127.0.0.2:51234/back",
      "cz.example.app://back",
      "CZ.example.app:/back",
    ])
      expect(await refusal({ body: { clientId, returnUrl } }), returnUrl).to.equal(
        "400 return_url_unregistered",
      );
  });

  it("are refused for an application that is not the TPP's, or has not registered pisp", async () => {
    const foreign = await register(auth, {}, "second-tpp");
    const informed = await register(auth, { scopes: ["aisp"] });
    for (const { client_id: clientId } of [foreign, informed, { client_id: "nobody" }])
      expect(await refusal({ body: { clientId } })).to.equal("400 application_unknown");
  });

  it("are refused whole, with all faults of their members", async () => {
    const { status, body } = await desk.ask({
      body: { psu: "a b", expiresAt: "2020-01-01T00:00:00Z", organisationIdentifier: "x", more: 1 },
    });
    expect(status).to.equal(400);
    expect(JSON.parse(body)).to.deep.equal({
      error: "request_malformed",
      error_description: "more is not a known member",
    });
    const wrong = { psu: "a b", expiresAt: "2020-01-01T00:00:00Z", organisationIdentifier: "x" };
    const faults = JSON.parse((await desk.ask({ body: wrong })).body).error_description;
    expect(faults).to.equal("psu is invalid; organisationIdentifier is invalid; expiresAt is invalid");
    for (const order of [1, null, { amount: "1.00" }])
      expect(await refusal({ body: { order } })).to.equal("400 request_malformed");
  });

  it("may name the TPP's certificate by its thumbprint in one form or both, and by nothing else", async () => {
    const [one, other] = ["A".repeat(43), "E".repeat(43)];
    for (const certificate of [undefined, one, `${one} ${other}`])
      expect((await desk.ask({ body: { certificate } })).status).to.equal(201);
    for (const certificate of ["", "x", `${one}=`, `${one}  ${other}`, `${one} ${other} ${one}`])
      expect(await refusal({ body: { certificate } }), certificate).to.equal("400 request_malformed");
  });

  it("can be cancelled before the PSU decides (PAY-14)", async () => {
    const { id } = await desk.request();
    expect((await desk.cancel(id)).state).to.equal("cancelled");
    expect((await desk.cancel(id)).state).to.equal("cancelled");
    expect((await desk.find(id)).state).to.equal("cancelled");
  });

  it("can be read by callers with the right `signing` alone, by exact id", async () => {
    const { id } = await desk.request();
    const unreadable = { method: "POST", path: "/signing-requests", headers: JSON_BODY, body: "{" };
    expect((await auth.callAsBank(unreadable)).status).to.equal(400);
    for (const caller of ["operator", "auth"] as const)
      for (const call of [{ path: `/signing-requests/${id}` }, unreadable])
        expect((await auth.callAsBank(call, caller)).status).to.be.oneOf([401, 403]);
    expect((await auth.call({ path: `/signing-requests/${id}` })).status).to.equal(404);
    expect((await auth.browse({ path: `/signing-requests/${id}` })).status).to.equal(404);
    for (const other of ["x", "a".repeat(22), "%00", `${id}a`])
      expect((await auth.callAsBank({ path: `/signing-requests/${other}` })).status).to.equal(404);
  });

  it("can be found by payment and sign id, a hundred at once, with the right `signing` alone", async () => {
    const { id, paymentId } = await desk.request();
    const find = (body: string, caller: "resource" | "operator" = "resource") =>
      auth.callAsBank({ method: "POST", path: "/known-signing-requests", headers: JSON_BODY, body }, caller);
    const named = { paymentId, signId: "S-1" };
    const most = Array.from({ length: 99 }, (_, place) => ({ paymentId: `P-other-${place}`, signId: "S-1" }));
    const found = await find(JSON.stringify({ signings: [...most, named] }));
    expect(found.status, found.body).to.equal(200);
    expect(JSON.parse(found.body)).to.deep.equal({ requests: [{ id, ...named }] });
    for (const body of [
      {},
      { signings: [] },
      { signings: [...most, named, named] },
      { signings: [named, { paymentId }] },
      { signings: [{ ...named, more: "" }] },
      { signings: [{ paymentId: "P 1", signId: "S-1" }] },
      { signings: [null] },
      { signings: [named], more: "" },
    ]) {
      const { status, body: told } = await find(JSON.stringify(body));
      expect(`${status} ${JSON.parse(told).error}`).to.equal("400 request_malformed");
    }
    expect((await find(JSON.stringify({ signings: [named] }), "operator")).status).to.equal(403);
  });

  it("expire when both process's and database's clocks say so, and the feed tells it", async () => {
    const { id } = await desk.request();
    const { position } = JSON.parse((await auth.callAsBank({ path: "/stop-list" })).body);
    auth.clock.advance(3_600_000);
    expect((await desk.find(id)).state).to.equal("waiting");
    const text = "UPDATE signing_request SET expires_at = now() WHERE id = $1";
    await auth.database.run({ name: "", text, values: [id] });
    expect((await desk.find(id)).state).to.equal("expired");
    await eventually(async () => {
      const { body } = await auth.callAsBank({ path: `/events?after=${position}` });
      const { events }: { events: readonly { kind: string; key: string }[] } = JSON.parse(body);
      return events.some(({ kind, key }) => kind === "signing_expired" && key === id);
    });
  });
});
