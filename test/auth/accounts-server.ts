import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { type KeyPairFiles, listen } from "@cobs/service-edge";

/** The bank listener of a resource server, reduced to a PSU's accounts. */
export interface AccountsServer {
  readonly url: string;
  /** Its answer, and what happens before it; a test may change both. */
  answer: { status: number; body: string; before?: () => Promise<unknown> };
  close(): Promise<void>;
}

/** Two accounts in resource's wire form. */
const TWO_ACCOUNTS = [
  { id: "account-1", iban: "CZ6508000000192000145399", currency: "CZK" },
  { id: "account-2", iban: "CZ6508000000192000145399", currency: "EUR" },
].map((account) => ({
  ...account,
  number: "19-2000145399",
  bankCode: "0800",
  names: { cs: "Účet", en: "Account" },
  products: { cs: "Běžný účet", en: "Current account" },
}));

/** Starts the server on a random port; callers need a certificate of the private CA. */
export async function startAccountsServer(keyPair: KeyPairFiles, authority: string): Promise<AccountsServer> {
  const server = createServer(
    {
      cert: readFileSync(keyPair.certificateFile),
      key: readFileSync(keyPair.keyFile),
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
    },
    async (_request, response) => {
      await running.answer.before?.();
      response
        .writeHead(running.answer.status, { "content-type": "application/json" })
        .end(running.answer.body);
    },
  );
  const listener = await listen(server, { name: "accounts", host: "127.0.0.1", port: 0 });
  const running: AccountsServer = {
    url: `https://localhost:${listener.port}`,
    answer: { status: 200, body: JSON.stringify({ accounts: TWO_ACCOUNTS }) },
    close: () => listener.close(0),
  };
  return running;
}
