import { expect } from "chai";
import { openBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { openDesk, pathOf } from "../signing/signing-desk.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postRegistration,
  REDIRECT_URI,
  REGISTRATION,
  register,
  type TestApplication,
} from "../test-application.ts";

/** At the issuer, the host of auth's API and the host of resource. */
const OF_BANK = [
  "https://localhost:8443/oauth/authorize",
  "https://localhost:8444/cobs/2.0/applications",
  "https://localhost:9443/cobs/2.0/my/accounts",
];

describe("A return address at the bank itself (RFC 9700 4.11)", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const put = (id: string, body: unknown) =>
    auth.call({
      method: "PUT",
      path: `${APPLICATIONS}/${id}`,
      headers: JSON_BODY,
      body: JSON.stringify(body),
    });
  const read = async ({ client_id }: TestApplication) =>
    JSON.parse((await auth.call({ path: `${APPLICATIONS}/${client_id}` })).body);
  /** Stores addresses as a version did that did not refuse them. */
  const store = ({ client_id }: TestApplication, addresses: readonly string[]) =>
    auth.database.run({
      name: "store-addresses",
      text: "UPDATE application SET redirect_uris = $2 WHERE id = $1",
      values: [client_id, addresses],
    });
  const authorize = ({ client_id }: TestApplication, redirect_uri: string) => {
    const query = new URLSearchParams({
      client_id,
      redirect_uri,
      response_type: "code",
      scope: "aisp",
      state: "s",
    });
    return openBrowser(auth).get(`/oauth/authorize?${query}`);
  };

  it("is refused by its place at registration and replacement, beside the other faults", async () => {
    const { client_id } = await register(auth);
    for (const address of [...OF_BANK, "https://localhost.:8443/consents"]) {
      const body = { ...REGISTRATION, redirect_uris: [REDIRECT_URI, address, "x"] };
      for (const answer of [await postRegistration(auth, body), await put(client_id, body)]) {
        const { error, error_description: described } = JSON.parse(answer.body);
        expect([answer.status, error], address).to.deep.equal([400, "invalid_redirect_uri"]);
        expect(described)
          .to.include("redirect_uris[1] is an address of this bank")
          .and.include("redirect_uris[2]");
      }
    }
  });

  it("is only one of exactly these hosts and ports", async () => {
    const redirect_uris = [
      "https://localhost:7443/callback",
      "https://localhost/cb",
      "https://localhost.example:8443/",
    ];
    expect((await postRegistration(auth, { ...REGISTRATION, redirect_uris })).status).to.equal(201);
    const native = {
      ...REGISTRATION,
      applicationType: "native",
      redirect_uris: ["http://localhost:8443/cb"],
    };
    expect((await postRegistration(auth, native)).status).to.equal(201);
  });

  it("is left out of an application that has it from before, and leads nowhere", async () => {
    const application = await register(auth);
    await store(application, [REDIRECT_URI, ...OF_BANK]);
    expect((await read(application)).redirect_uris).to.deep.equal([REDIRECT_URI]);
    const list = JSON.parse((await auth.call({ path: APPLICATIONS })).body);
    expect(JSON.stringify(list)).to.not.include("localhost:9443");
    expect((await authorize(application, REDIRECT_URI)).status).to.equal(303);
    for (const address of OF_BANK) expect((await authorize(application, address)).status).to.equal(400);
  });

  it("leaves an application that has no other from before without authorizations", async () => {
    const application = await register(auth);
    await store(application, OF_BANK);
    for (const address of [...OF_BANK, REDIRECT_URI])
      expect((await authorize(application, address)).status).to.equal(400);
  });

  it("is no way back from an order, whenever it was registered (COBS 3.2.10)", async () => {
    const desk = await openDesk(auth);
    const told = await desk.request();
    await store(desk.application, [REDIRECT_URI, ...OF_BANK]);
    for (const returnUrl of OF_BANK) {
      const refused = await desk.ask({ body: { returnUrl } });
      expect(refused.body).to.include("return_url_unregistered");
    }
    await auth.database.run({
      name: "move-order",
      text: "UPDATE signing_request SET return_url = $2 WHERE id = $1",
      values: [told.id, OF_BANK[0]],
    });
    const page = await openBrowser(auth).get(pathOf(told));
    expect(page.status).to.equal(403);
    expect(page.body).to.not.include("localhost:8443").and.not.include("/oauth/authorize");
  });
});
