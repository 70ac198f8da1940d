/**
 * Compares auth in refresh, the whole code flow and introspection, each with `oidc-provider` alone in memory. A flow has the
 * same two pages and eight requests on both sides. The baseline leaves out what a bank adds: two factors that are proven and
 * counted, accounts fetched from resource, a consent and an audit log, all in PostgreSQL.
 */
import { authorizeUrl } from "./bench-bank.ts";
import type { MeasuredServer } from "./bench-process.ts";
import type { Contender, Contest, PlannedContest } from "./contest.ts";
import { baselineTls, type ContestParts } from "./contest-parts.ts";
import type { FlowOrder, RequestOrder, Target } from "./load/load-order.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const AT_ONCE = 64;
const BASELINE = "oidc-provider alone in memory";

async function startProvider({
  bank,
  processes,
}: ContestParts): Promise<MeasuredServer & { flow: FlowOrder }> {
  const { document, flow } = bank;
  const port = document.callback.port;
  const issuer = `https://localhost:${port}`;
  const { client_id, client_secret } = flow.client;
  const application = {
    client_id,
    client_secret,
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: [flow.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    tls_client_certificate_bound_access_tokens: true,
  };
  const service = {
    client_id: "resource",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=resource",
    introspection_signed_response_alg: "ES256",
    redirect_uris: [],
    grant_types: [],
    response_types: [],
  };
  const server = await processes.startBaseline("oidc-provider", {
    tls: await baselineTls(bank),
    port,
    issuer,
    api: document.resourceBase,
    clients: [application, service],
  });
  const target = { ...flow.target, origin: issuer };
  const authorize = authorizeUrl(`${issuer}/auth`, client_id, flow.redirectUri);
  return { ...server, flow: { ...flow, target, authorizeUrl: authorize, tokenPath: "/token" } };
}

/** Tokens with which a flow ends. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

function postForm(target: Target, path: string, form: Record<string, string>, headers = {}): RequestOrder {
  const body = new URLSearchParams(form).toString();
  return {
    kind: "requests",
    target,
    method: "POST",
    path,
    headers: { ...FORM, ...headers },
    body,
    status: 200,
  };
}

/** Refreshes one token repeatedly. */
export function refreshOf({ target, tokenPath, client }: FlowOrder, { refresh_token }: Tokens): RequestOrder {
  return postForm(target, tokenPath, { grant_type: "refresh_token", refresh_token, ...client });
}

function introspectionOf(target: Target, path: string, { access_token: token }: Tokens): RequestOrder {
  const form = { token, token_type_hint: "access_token", client_id: "resource" };
  return postForm(target, path, form, { accept: "application/token-introspection+jwt" });
}

/** Plans the contests; all are prepared together, when the first of them is. */
export function planAuthContests(): readonly PlannedContest[] {
  let prepared: ReturnType<typeof prepareAuthContests> | undefined;
  return ["auth/refresh", "auth/flow", "auth/introspect"].map((name) => ({
    name,
    prepare: async (parts) => {
      prepared ??= prepareAuthContests(parts);
      const contest = (await prepared).find((each) => each.name === name);
      if (contest === undefined) throw new TypeError(`unknown contest ${name}`);
      return contest;
    },
  }));
}

/** Gives a consent on both sides, whose tokens are then used. */
async function prepareAuthContests(parts: ContestParts): Promise<readonly Contest[]> {
  const { bank, load } = parts;
  await bank.bringPsus();
  const provider = await startProvider(parts);
  const authorizeOnce = async (order: FlowOrder): Promise<Tokens> =>
    JSON.parse((await load({ order, milliseconds: 0, most: 1, atOnce: 1 })).lastBody);
  const [own, theirs] = [await authorizeOnce(bank.flow), await authorizeOnce(provider.flow)];
  const ours = (order: Contender["order"]) => ({ name: "auth", pid: bank.document.processes.auth, order });
  const baselines = (order: Contender["order"]) => [{ name: BASELINE, pid: provider.pid, order }];
  const atProvider = {
    ...bank.introspection,
    origin: provider.flow.target.origin,
    authority: bank.auth.authority,
  };
  const ask = "/oauth/introspect";
  return [
    {
      name: "auth/refresh",
      goal: 0.8,
      operation: "refresh of an access token",
      ours: ours(refreshOf(bank.flow, own)),
      baselines: baselines(refreshOf(provider.flow, theirs)),
      atOnce: AT_ONCE,
    },
    {
      name: "auth/flow",
      goal: 0.6,
      operation: "code flow, from authorize to tokens (two pages, eight requests)",
      ours: ours(bank.flow),
      baselines: baselines(provider.flow),
      atOnce: 24,
    },
    {
      name: "auth/introspect",
      goal: 0.8,
      operation: "introspection, signed",
      ours: ours(introspectionOf(bank.introspection, ask, own)),
      baselines: baselines(introspectionOf(atProvider, "/token/introspection", theirs)),
      atOnce: AT_ONCE,
    },
  ];
}
