import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { send } from "../support/raw-https.ts";
import { runSql } from "./journey-sandbox.ts";

/** A signing request in auth's answer to resource. */
export interface SandboxSigning {
  readonly id: string;
  readonly url: string;
  readonly paymentId: string;
  readonly state: string;
}

/** What to approve, by which PSU and for which application. */
export interface WantedSigning {
  readonly psuId: string;
  readonly application: { readonly clientId: string; readonly redirectUri: string };
  readonly order?: object;
}

/** Asks for an approval at the bank listener of a running sandbox, with resource's certificate. */
export async function askForSigning(
  document: SandboxDocument,
  { psuId: psu, application, order = DOMESTIC_ORDER }: WantedSigning,
): Promise<SandboxSigning> {
  const paymentId = randomUUID().slice(0, 30);
  const { clientId, redirectUri } = application;
  const owners = "SELECT owner FROM application WHERE id = $1";
  const [row] = await runSql(document.databases.auth, owners, [clientId]);
  const { owner: organisationIdentifier } = Object(row);
  return callAsResource(document, "/signing-requests", {
    paymentId,
    signId: "S-1",
    psu,
    organisationIdentifier,
    clientId,
    returnUrl: `${redirectUri}?state=${paymentId}`,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    order: canonicalOrder({ ...order, paymentId }),
  });
}

/** The state of a signing request. */
export async function stateOfSigning(document: SandboxDocument, { id }: SandboxSigning): Promise<string> {
  return (await callAsResource(document, `/signing-requests/${id}`)).state;
}

async function callAsResource(
  { bankClients, auth, privateCa }: SandboxDocument,
  path: string,
  body?: object,
): Promise<SandboxSigning> {
  const { certificate, key } = bankClients.resource;
  const [cert, keyPem, ca] = await Promise.all([certificate, key, privateCa].map((file) => readFile(file)));
  const { hostname, port } = new URL(auth.bank);
  const headers = { host: `${hostname}:${port}`, ...(body && { "content-type": "application/json" }) };
  const method = body === undefined ? "GET" : "POST";
  const tls = { servername: hostname, cert, key: keyPem, ca };
  const answer = await send(
    { port: Number(port), method, path, headers, ...tls },
    body && JSON.stringify(body),
  );
  if (answer.status >= 300) throw new Error(`${method} ${path} gave ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}
