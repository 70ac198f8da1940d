/**
 * A refresh token after whatever ends it, and while it ends: what is refused, and what became of tokens that
 * were given meanwhile.
 */

import { parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { parseConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { consent } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, introspect, isActive, redeem, refresh } from "./use-tokens.ts";

const PARALLEL = 20;
const ENVIRONMENT = {
  BANK_CALLERS: "resource=introspect,feed;operator=operator",
  // Few, and so soon open: calls at once wait for a free connection, not for sixteen new ones.
  DATABASE_MAX_CONNECTIONS: "6",
};
const OPERATOR = { kind: "operator", name: "test", certificate: undefined } as const;

/** What a PSU allowed an application. */
interface Access {
  readonly application: TestApplication;
  readonly code: string;
  readonly refreshToken: string;
}

interface Kind {
  readonly end: (access: Access) => Promise<unknown>;
  readonly refused: readonly [status: number, error: string];
  /** What is to be undone. */
  readonly release?: () => Promise<unknown>;
}

describe("A refresh token", function refreshEndings() {
  this.timeout(120_000);
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth(ENVIRONMENT);
  });
  after(() => auth.stop());

  const told = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error];

  async function openAccess(): Promise<Access> {
    const application = await register(auth, {}, "second-tpp");
    const code = await codeFor(auth, application);
    const { refresh_token } = JSON.parse((await redeem(auth, application, code)).body);
    return { application, code, refreshToken: refresh_token };
  }

  const stopList = "/operator/stop-list";
  const order = (path: string) => {
    const { organisationIdentifier: tpp } = auth.tpp("second-tpp");
    const body = JSON.stringify({ tpp, reason: "fraud" });
    return auth.callAsBank({ method: "POST", path, headers: JSON_BODY, body }, "operator");
  };
  const blocks = () => createPsuBlocks(auth.database, auth.clock);
  const jana = parsePsuId("psu-jana");
  const act = { actor: OPERATOR, requestId: undefined };

  async function withdraw({ application }: Access): Promise<void> {
    const text = "SELECT id FROM consent WHERE application_id = $1";
    const values = [application.client_id];
    const [row] = await auth.database.run<{ id: string }>({ name: "consent-of", text, values });
    const id = parseConsentId(row?.id);
    if (id === undefined) throw new Error("there is no consent");
    await createConsentStore(auth.database).end(id, { by: "psu", reason: "withdrawn", act });
  }

  it("gives no access to the API, because introspection calls it inactive (COBS 1.3.1)", async () => {
    const { refreshToken } = await openAccess();
    const answer = await introspect(auth, refreshToken);
    expect(JSON.parse(answer.body)).to.deep.equal({ active: false });
  });

  const invalidGrant = [400, "invalid_grant"] as const;
  const invalidClient = [401, "invalid_client"] as const;
  const kinds: Readonly<Record<string, Kind>> = {
    "the PSU has withdrawn the consent": { end: withdraw, refused: invalidGrant },
    "the consent has run out": {
      end: ({ application }) => {
        const text = "UPDATE consent SET valid_until = now() - interval '1 second' WHERE application_id = $1";
        return auth.database.run({ name: "run-out", text, values: [application.client_id] });
      },
      refused: invalidGrant,
    },
    "a later consent has taken the place of its own": {
      end: ({ application }) => consent(auth, application),
      refused: invalidGrant,
    },
    "it was revoked (RFC 7009 2.1)": {
      end: ({ application, refreshToken }) =>
        postForm(auth, "/oauth/revoke", application, { token: refreshToken }),
      refused: invalidGrant,
    },
    "its code came again (RFC 6749 4.1.2)": {
      end: ({ application, code }) => redeem(auth, application, code),
      refused: invalidGrant,
    },
    "the application has given up the scope": {
      end: ({ application: { client_id, certificate } }) =>
        auth.call({
          certificate,
          method: "PUT",
          path: `${APPLICATIONS}/${client_id}`,
          headers: JSON_BODY,
          body: JSON.stringify({ ...REGISTRATION, scopes: ["pisp"] }),
        }),
      refused: invalidGrant,
    },
    "the PSU is blocked": {
      end: () => blocks().block({ psu: jana, reason: "fraud" }, act),
      refused: invalidGrant,
      release: () => blocks().release(jana, act),
    },
    "its application is deleted": {
      end: ({ application: { client_id, certificate } }) =>
        auth.call({ certificate, method: "DELETE", path: `${APPLICATIONS}/${client_id}` }),
      refused: invalidClient,
    },
    "its TPP is blocked": {
      end: () => order(stopList),
      refused: invalidClient,
      release: () => order(`${stopList}/release`),
    },
  };

  for (const [name, { end, refused, release }] of Object.entries(kinds)) {
    it(`gets ${refused.join(" ")} when ${name}, and no token that it gave meanwhile is active`, async () => {
      const access = await openAccess();
      const use = () => refresh(auth, access.application, access.refreshToken);
      expect((await use()).status).to.equal(200);
      const racing = Array.from({ length: PARALLEL }, use);
      try {
        await end(access);
        const answers = await Promise.all(racing);
        // Who was known when its application ended finds the grant gone.
        for (const answer of answers)
          if (answer.status !== 200) expect(told(answer)).to.be.deep.oneOf([[...refused], [...invalidGrant]]);
        expect(told(await use())).to.deep.equal([...refused]);
        const given = answers.flatMap(({ status, body }) => (status === 200 ? [JSON.parse(body)] : []));
        for (const { access_token } of given) expect(await isActive(auth, access_token)).to.equal(false);
      } finally {
        await release?.();
      }
    });
  }
});
