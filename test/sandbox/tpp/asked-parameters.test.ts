import { expect } from "chai";
import type { ApiAccess } from "../../../packages/sandbox/src/tpp/call-resource.ts";
import { listAccounts } from "../../../packages/sandbox/src/tpp/list-accounts.ts";
import { listTransactions } from "../../../packages/sandbox/src/tpp/list-transactions.ts";
import type { OAuthClient } from "../../../packages/sandbox/src/tpp/oauth-client.ts";

/** As the parser of the command line gives them: with the option of every command among them. */
const SAID = { size: "3", order: "desc", json: true };

function recordingAccess(): { readonly access: ApiAccess; readonly asked: URL[] } {
  const asked: URL[] = [];
  const notCalled = () => Promise.reject(new Error("not called here"));
  const client: OAuthClient = {
    begin: notCalled,
    refresh: notCalled,
    revoke: notCalled,
    call: async (_token, url) => {
      asked.push(url);
      return Response.json({ accounts: [], transactions: [] });
    },
  };
  return { access: { client, token: "token", resourceBase: "https://bank.example/cobs/2.0" }, asked };
}

describe("TPP command line towards the API", () => {
  it("lists accounts with the parameters of COBS 3.1.3 only, whatever else was given", async () => {
    const { access, asked } = recordingAccess();
    await listAccounts(access, SAID);
    expect(asked.map(({ search }) => search)).to.deep.equal(["?size=3&order=desc"]);
  });

  it("lists transactions with the parameters of COBS 3.1.5 only, whatever else was given", async () => {
    const { access, asked } = recordingAccess();
    await listTransactions(access, "a1", { ...SAID, from: "2026-01-31", to: "2026-02-01" });
    expect(asked.map(({ search }) => search)).to.deep.equal([
      "?fromDate=2026-01-31&toDate=2026-02-01&size=3&order=desc",
    ]);
  });
});
