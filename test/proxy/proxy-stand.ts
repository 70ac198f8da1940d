/**
 * Real proxies in front of real services, started from the files that operators get. HAProxy passes certificates on as
 * `rfc9440`, nginx as `nginx`, Envoy as `envoy`; the services must be configured with {@link forwardedBy}.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { type Listener, listen } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { PROXY_NAME, writeProxyFiles } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ENVOY } from "../support/test-environment.ts";
import { openNameServer } from "./name-server.ts";
import { withProxyProtocol } from "./proxy-protocol.ts";

/** Kind of the proxy in front. */
export type ProxyKind = "haproxy" | "nginx" | "envoy";

/** Each kind with its usual name. */
export const PROXY_KINDS: readonly (readonly [kind: ProxyKind, name: string])[] = [
  ["haproxy", "HAProxy"],
  ["nginx", "nginx"],
  ["envoy", "Envoy"],
];

/** Ports of the services behind a proxy; a test that needs only one of them leaves the others out. */
export interface ProxyOrigins {
  readonly certificates: SandboxCertificates;
  readonly authApi?: number;
  readonly authBrowser?: number;
  readonly resourceApi?: number;
  /**
   * Addresses of each service's members, all on the ports above; Envoy finds them by name, HAProxy the first two of auth. By
   * default 127.0.0.1.
   */
  readonly members?: readonly string[];
  /** Name that their certificates must have; by default that of the sandbox. */
  readonly originName?: string;
  /**
   * Whether a balancer is in front, which passes on addresses by the PROXY protocol; README.md says what the proxy's file then
   * needs.
   */
  readonly isBehindBalancer?: boolean;
}

/** A running proxy. */
export interface RunningProxy {
  readonly kind: ProxyKind;
  /** Mutual TLS, for TPPs. */
  readonly apiPort: number;
  readonly browserPort: number;
  /** The member at this address says no longer whether it is ready, and says nothing else. */
  silence(host: string): void;
  /** Its output on standard error and, once it has stopped, in a log of calls. */
  said(): string;
  stop(): Promise<void>;
}

/**
 * Defects of `packages/sandbox/src/certificates/defects.ts` for which the proxy itself ends the handshake. HAProxy 2.6 cannot
 * let OpenSSL errors above 31 pass; Envoy's BoringSSL reads no malformed certificate, and accepts none that may not sign.
 */
export const ENDED_BY_PROXY = {
  haproxy: new Set([
    "issued-by-a-tpp",
    "issuer-without-key-cert-sign",
    "issuer-unknown-critical-extension",
    "unknown-critical-extension",
    "critical-qc-statements",
  ]),
  envoy: new Set([
    "issuer-version-1",
    "version-1",
    "version-missing",
    "time-without-seconds",
    "time-with-fraction",
    "time-that-does-not-exist",
    "key-usage-no-bit-string",
    "no-digital-signature",
    "key-agreement-only",
  ]),
};

const CONFIGURATIONS = resolve(import.meta.dirname, "../../packages/service-edge/proxies");
const NOWHERE = 9;
const LOOPBACK = "127.0.0.1";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Variables with which a service trusts a proxy of this kind. */
export function forwardedBy(kind: ProxyKind): Readonly<Record<string, string>> {
  const source = { haproxy: "rfc9440", nginx: "nginx", envoy: "envoy" }[kind];
  return { CLIENT_CERTIFICATE_SOURCE: source, PROXY_NAMES: PROXY_NAME };
}

type Variables = Readonly<Record<string, string>>;

/** Starts a proxy from its file, with the variables put in by `envsubst`; HAProxy reads them itself. */
export function startProxy(kind: ProxyKind, origins: ProxyOrigins): Promise<RunningProxy> {
  return startFrom(
    kind,
    origins,
    { haproxy: haproxyCommand, nginx: nginxCommand, envoy: envoyCommand }[kind],
  );
}

/** Changes the operators' file before the proxy reads it. */
type Edit = (file: string) => string;

function haproxyCommand(folder: string, _variables: Variables, edit: Edit): readonly string[] {
  const main = join(folder, "haproxy.cfg");
  writeFileSync(main, edit(readFileSync(join(CONFIGURATIONS, "haproxy.cfg"), "utf8")));
  return ["haproxy", "-db", "-f", main];
}

function nginxCommand(folder: string, variables: Variables, edit: Edit): readonly string[] {
  const main = join(folder, "nginx.conf");
  writeFileSync(main, aroundTemplate(edit(filledIn("nginx.conf.template", variables))));
  return ["nginx", "-p", folder, "-c", main, "-e", "stderr"];
}

function envoyCommand(folder: string, variables: Variables, edit: Edit): readonly string[] {
  const main = join(folder, "envoy.yaml");
  writeFileSync(main, `${edit(filledIn("envoy.yaml.template", variables))}\n${askingForNames(variables)}`);
  return [ENVOY, "-c", main, "--disable-hot-restart", "--concurrency", "2", "--log-level", "warn"];
}

/** By default Envoy asks the machine's name server. */
function askingForNames({ NAME_SERVER_PORT: port }: Variables): string {
  const resolver = {
    name: "envoy.network.dns_resolver.cares",
    typed_config: {
      "@type": "type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig",
      resolvers: [{ socket_address: { address: LOOPBACK, port_value: Number(port) } }],
    },
  };
  return `typed_dns_resolver_config: ${JSON.stringify(resolver)}`;
}

/** Fills a template in as README.md has operators do. */
function filledIn(template: string, variables: Variables): string {
  const guide = readFileSync(join(CONFIGURATIONS, "README.md"), "utf8");
  const command = guide
    .split("\n")
    .find((line) => line.startsWith("envsubst") && line.includes(`< ${template} >`));
  const [toStandardOutput = ""] = command?.split(" > ") ?? [];
  const env = { PATH, ...variables };
  return execFileSync("sh", ["-c", toStandardOutput], { cwd: CONFIGURATIONS, env, encoding: "utf8" });
}

const LOG_OF_CALLS = "access.log";

/** Folders in which nginx stores what it does not hold in memory. */
const SPOOLS = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** What Debian's nginx.conf has in its http block, where our file differs. */
const HTTP_OF_DEBIAN = "ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_prefer_server_ciphers on; gzip on;";

/** The configuration that surrounds an included file on a machine, with a log of its own. */
function aroundTemplate(included: string): string {
  const temporary = SPOOLS.map((kind) => `${kind}_temp_path ${kind};`);
  return `daemon off; pid nginx.pid; worker_processes 2; events {} http { ${HTTP_OF_DEBIAN} access_log ${LOG_OF_CALLS}; ${temporary.join(" ")}\n${included}}`;
}

async function startFrom(
  kind: ProxyKind,
  {
    certificates,
    authApi = NOWHERE,
    authBrowser = NOWHERE,
    resourceApi = NOWHERE,
    members,
    originName,
    isBehindBalancer = false,
  }: ProxyOrigins,
  commandFor: (folder: string, variables: Variables, edit: Edit) => readonly string[],
): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const hosts = members ?? [LOOPBACK];
  const names = await openNameServer(hosts);
  const readiness = await openReadiness(hosts);
  const [apiPort, browserPort] = [await freePort(), await freePort()];
  const variables = {
    ...(await writeProxyFiles(folder.path, certificates)),
    ...(originName !== undefined && { ORIGIN_NAME: originName }),
    SCRIPTS: CONFIGURATIONS,
    API_ADDRESS: `${LOOPBACK}:${apiPort}`,
    BROWSER_ADDRESS: `${LOOPBACK}:${browserPort}`,
    ...ofFirstMembers({
      AUTH_API: `${LOOPBACK}:${authApi}`,
      AUTH_BROWSER: `${LOOPBACK}:${authBrowser}`,
      AUTH_OPERATOR_PORT: String(readiness.port),
      RESOURCE_API: `${LOOPBACK}:${resourceApi}`,
      RESOURCE_OPERATOR_PORT: String(readiness.port),
    }),
    ...ofSecondMember(hosts[1], { API: authApi, BROWSER: authBrowser, OPERATOR_PORT: readiness.port }),
    // Envoy takes names and ports separately.
    ...{ LISTEN_HOST: LOOPBACK, AUTH_HOST: "auth.bank", RESOURCE_HOST: "resource.bank" },
    NAME_SERVER_PORT: String(names.port),
    API_PORT: String(apiPort),
    BROWSER_PORT: String(browserPort),
    AUTH_API_PORT: String(authApi),
    AUTH_BROWSER_PORT: String(authBrowser),
    RESOURCE_API_PORT: String(resourceApi),
  };
  const command = commandFor(
    folder.path,
    variables,
    isBehindBalancer ? withProxyProtocol[kind] : (file) => file,
  );
  const child = spawnWithWatchdog(
    { command, cwd: folder.path, env: { PATH, ...variables }, stdio: ["ignore", "ignore", "pipe"] },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: 5 },
  );
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  const ended = once(child, "close");
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${kind} did not start:\n${said}`);
    return answers(apiPort);
  }, `${kind} accepts connections`);
  // As on a read-only root: no calls or answers reach a disk.
  for (const each of SPOOLS) rmSync(join(folder.path, each), { recursive: true, force: true });
  return {
    kind,
    apiPort,
    browserPort,
    silence: readiness.silence,
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      const calls = join(folder.path, LOG_OF_CALLS);
      if (existsSync(calls)) said += readFileSync(calls, "utf8");
      await readiness.close();
      names.close();
      folder.remove();
    },
  };
}

/** Answers that everything behind a proxy here is ready; one port on all hosts. */
async function openReadiness(hosts: readonly string[]) {
  const listeners: Listener[] = [];
  const silent = new Set<string>();
  for (const host of hosts) {
    const server = createServer((_request, response) => {
      if (!silent.has(host)) response.end();
    });
    const port = listeners[0]?.port ?? 0;
    listeners.push(await listen(server, { name: "readiness", host, port }));
  }
  return {
    port: listeners[0]?.port ?? NOWHERE,
    silence: (host: string) => void silent.add(host),
    close: async () => void (await Promise.all(listeners.map((each) => each.close(0)))),
  };
}

/** nginx has one member of each service, and its variables have no numbers. */
function ofFirstMembers(variables: Variables): Variables {
  const numbered = Object.entries(variables).map(([name, value]) => [
    name.replace(/^(AUTH|RESOURCE)_/, "$1_1_"),
    value,
  ]);
  return { ...variables, ...Object.fromEntries(numbered) };
}

/** HAProxy has several members of each service, each with an address of its own. */
function ofSecondMember(
  host: string | undefined,
  { API, BROWSER, OPERATOR_PORT }: Readonly<Record<"API" | "BROWSER" | "OPERATOR_PORT", number>>,
): Variables {
  if (host === undefined) return {};
  return {
    AUTH_2_API: `${host}:${API}`,
    AUTH_2_BROWSER: `${host}:${BROWSER}`,
    AUTH_2_OPERATOR_PORT: String(OPERATOR_PORT),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolvePromise) => {
    const socket = connect(port, LOOPBACK);
    socket.once("connect", () => resolvePromise(true)).once("error", () => resolvePromise(false));
    socket.once("connect", () => socket.destroy());
  });
}
