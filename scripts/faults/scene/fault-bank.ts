/**
 * The bank that is broken: the whole topology on a PostgreSQL with a standby and on a Redis, both of which the plan starts,
 * stops and signals itself, and a TPP that calls it.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../../../packages/sandbox/src/processes/process-identity.ts";
import type { TppApplication } from "../../../packages/sandbox/src/tpp/oauth-client.ts";
import { openTppFetch, type TppFetch } from "../../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { type PostgresPair, startPostgresPair } from "../../../test/support/postgres-pair.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openTppClient, type TppClient } from "../../../test/support/tpp-client.ts";
import { startTopology, type Topology, type TopologyOptions } from "../../topology/start-topology.ts";
import type { FaultParts } from "../fault-case.ts";

type Headers = Readonly<Record<string, string>>;

/** An application and the tokens of a PSU's consent. */
export interface FaultAccess {
  readonly application: TppApplication;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The bank as a case sees it. */
export interface FaultBank {
  readonly topology: Topology;
  readonly pair: PostgresPair;
  readonly tpp: TppClient;
  /** Origin of the API host. */
  readonly api: string;
  /** Registers a new application, and obtains a PSU's consent for it. */
  allow(psu: string): Promise<FaultAccess>;
  /** Makes the PSUs' recently used one-time codes work again. */
  forgetUsedCodes(): Promise<void>;
  /** Sends requests as a browser does, without cookies. */
  readonly browse: TppFetch["fetch"];
  /** Requests the first page of an authorization, as a browser does. */
  openPage(application: TppApplication, headers?: Headers): Promise<Response>;
  /** Renames an application. */
  rename(application: TppApplication, name: string, headers?: Headers): Promise<Response>;
  /** The application's present name. */
  nameOf(application: TppApplication): Promise<string | undefined>;
  /** Members that have ended since the start. */
  ended(): readonly string[];
  close(): Promise<void>;
}

const CERTIFICATE = "all-roles";

/** URLs of the databases, in the order auth, resource. */
interface Reached {
  readonly urls: readonly string[];
  /** URLs that bypass the pooler, if `urls` lead through one. */
  readonly direct?: Readonly<Record<"auth" | "resource", string>>;
}

/** Options: what to put in front of the databases, and further options of the topology. */
export interface FaultBankOptions extends Pick<TopologyOptions, "redis" | "environment" | "between"> {
  reach?(pair: PostgresPair): Promise<Reached>;
}

const directly = async ({ urls }: PostgresPair): Promise<Reached> => ({ urls });

function directWays({ auth, resource }: Readonly<Record<"auth" | "resource", string>>) {
  return { auth: { DATABASE_DIRECT_URL: auth }, resource: { DATABASE_DIRECT_URL: resource } };
}

/** Starts it; `redis` is the URL of one that the caller breaks. */
export async function openFaultBank(
  { say }: FaultParts,
  { reach = directly, ...more }: FaultBankOptions = {},
): Promise<FaultBank> {
  const directory = makeTemporaryFolder("cobs-faults-");
  const pair = await startPostgresPair(["auth", "resource"]);
  const { urls, direct } = await reach(pair);
  const [auth = "", resource = ""] = urls;
  const options = { directory: join(directory, "bank"), database: { auth, resource }, say: () => undefined };
  const ways = direct && { between: async () => directWays(direct) };
  const topology = await startTopology({ ...options, ...more, ...ways }).catch(async (error: unknown) => {
    await pair.close();
    throw error;
  });
  say("the bank is ready");
  const { document } = topology;
  const tpp = await openTppClient(document, CERTIFICATE);
  const browser = await openTppFetch(document.ca);
  const pids = topology.members.map(({ pid }) => pid);
  const forgetCodes = () => forgetUsedCodes(pair, document.directory);
  return {
    topology,
    pair,
    tpp,
    api: topology.origins.api,
    allow: async (psu) => {
      await forgetCodes();
      const application = await tpp.register(["aisp"]);
      const { accessToken, refreshToken = "" } = await tpp.authorize(application, { psu });
      return { application, accessToken, refreshToken };
    },
    forgetUsedCodes: forgetCodes,
    browse: browser.fetch,
    openPage: (application, headers = {}) => openPage(topology, browser, { application, headers }),
    rename: (application, name, headers = {}) => rename(topology, tpp, { application, name, headers }),
    nameOf: async ({ clientId }) =>
      (await tpp.applications.list()).find(({ client_id }) => client_id === clientId)?.client_name,
    ended: () =>
      topology.members
        .filter(({ pid }, index) => pid !== pids[index] || !isRunning(pid))
        .map(({ service, index }) => `${service}-${index + 1}`),
    close: async () => {
      await Promise.all([tpp.close(), browser.close()]);
      await topology.stop();
      await pair.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Makes used one-time codes work again; otherwise each works once in thirty seconds. */
async function forgetUsedCodes({ primary, standby }: PostgresPair, directory: string): Promise<void> {
  const text = "UPDATE sandbox_psu SET last_step = 0";
  await primary.sql(text, "auth").catch(() => standby.sql(text, "auth"));
  await rm(usedStepsFile(directory), { force: true });
}

/** The URL at which a browser begins an authorization. */
export function authorizationUrl({ document }: Topology, application: TppApplication): URL {
  const url = new URL("/oauth/authorize", document.issuer);
  const { clientId: client_id, redirectUri: redirect_uri } = application;
  url.search = new URLSearchParams({ response_type: "code", client_id, redirect_uri, state: "s" }).toString();
  return url;
}

interface PageCall {
  readonly application: TppApplication;
  readonly headers: Headers;
}

function openPage(
  topology: Topology,
  browser: TppFetch,
  { application, headers }: PageCall,
): Promise<Response> {
  const url = authorizationUrl(topology, application);
  return browser.fetch(url.href, { method: "GET", headers, body: undefined, redirect: "manual" });
}

function rename(
  { origins }: Topology,
  tpp: TppClient,
  { application, name, headers }: PageCall & { readonly name: string },
): Promise<Response> {
  return tpp.fetch(`${origins.api}/cobs/2.0/applications/${application.clientId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      applicationType: "web",
      client_name: name,
      redirect_uris: [application.redirectUri],
      scopes: ["aisp"],
    }),
    redirect: "manual",
  });
}
