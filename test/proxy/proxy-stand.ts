/**
 * Real proxies in front of real services, started from the files that operators get. HAProxy hands certificates on as
 * `rfc9440`, nginx as `nginx`; the services must be configured with {@link forwardedBy}.
 */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { type Listener, listen } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { PROXY_NAME, writeProxyFiles } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/sandbox.ts";
import { temporaryFolder } from "../support/test-listener.ts";

/** Which proxy stands in front. */
export type ProxyKind = "haproxy" | "nginx";

/** The ports of the services behind a proxy; a test that needs only one of them leaves the others out. */
export interface ProxyOrigins {
  readonly certificates: SandboxCertificates;
  readonly authApi?: number;
  readonly authBrowser?: number;
  readonly resourceApi?: number;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly kind: ProxyKind;
  /** Mutual TLS, for TPPs. */
  readonly apiPort: number;
  readonly browserPort: number;
  stop(): Promise<void>;
}

/**
 * Defects of `packages/sandbox/src/certificates/defects.ts` with which HAProxy 2.6 itself ends the handshake: it cannot let
 * errors of OpenSSL above 31 pass.
 */
export const ENDED_BY_HAPROXY: ReadonlySet<string> = new Set([
  "issued-by-a-tpp",
  "issuer-without-key-cert-sign",
  "issuer-unknown-critical-extension",
  "unknown-critical-extension",
  "critical-qc-statements",
]);

const CONFIGURATIONS = resolve(import.meta.dirname, "../../packages/service-edge/proxies");
const NOWHERE = 9;
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What a service is configured with so that it believes a proxy of this kind. */
export function forwardedBy(kind: ProxyKind): Readonly<Record<string, string>> {
  const source = { haproxy: "rfc9440", nginx: "nginx" }[kind];
  return { CLIENT_CERTIFICATE_SOURCE: source, PROXY_NAMES: PROXY_NAME };
}

/** Starts HAProxy with `haproxy.cfg`. */
export function startHaproxy(origins: ProxyOrigins): Promise<RunningProxy> {
  return startProxy("haproxy", origins, () => ["haproxy", "-db", "-f", join(CONFIGURATIONS, "haproxy.cfg")]);
}

/** Starts nginx with `nginx.conf.template`, its variables put in as `envsubst` does. */
export function startNginx(origins: ProxyOrigins): Promise<RunningProxy> {
  return startProxy("nginx", origins, (folder, variables) => {
    const template = readFileSync(join(CONFIGURATIONS, "nginx.conf.template"), "utf8");
    const main = join(folder, "nginx.conf");
    writeFileSync(
      main,
      aroundTemplate(template.replace(/\$\{([A-Z_]+)\}/g, (_all, name) => variables[name] ?? "")),
    );
    return ["nginx", "-p", folder, "-c", main, "-e", "stderr"];
  });
}

/** What surrounds an included file on a machine; here it keeps everything that nginx writes in its folder. */
function aroundTemplate(included: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  return `daemon off; pid nginx.pid; worker_processes 2; events {} http { access_log off; ${temporary.join(" ")}\n${included}}`;
}

async function startProxy(
  kind: ProxyKind,
  { certificates, authApi = NOWHERE, authBrowser = NOWHERE, resourceApi = NOWHERE }: ProxyOrigins,
  commandFor: (folder: string, variables: Readonly<Record<string, string>>) => readonly string[],
): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const readiness = await openReadiness();
  const [apiPort, browserPort] = [await freePort(), await freePort()];
  const variables = {
    ...(await writeProxyFiles(folder.path, certificates)),
    SCRIPTS: CONFIGURATIONS,
    API_ADDRESS: `127.0.0.1:${apiPort}`,
    BROWSER_ADDRESS: `127.0.0.1:${browserPort}`,
    ...ofFirstMembers({
      AUTH_API: `127.0.0.1:${authApi}`,
      AUTH_BROWSER: `127.0.0.1:${authBrowser}`,
      AUTH_OPERATOR_PORT: String(readiness.port),
      RESOURCE_API: `127.0.0.1:${resourceApi}`,
      RESOURCE_OPERATOR_PORT: String(readiness.port),
    }),
  };
  const command = commandFor(folder.path, variables);
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
  return {
    kind,
    apiPort,
    browserPort,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await readiness.close(0);
      folder.remove();
    },
  };
}

/** What stands behind a proxy here is always ready, whatever it is. */
function openReadiness(): Promise<Listener> {
  const server = createServer((_request, response) => void response.end());
  return listen(server, { name: "readiness", host: "127.0.0.1", port: 0 });
}

/** nginx has one member of each service, and no number in its names. */
function ofFirstMembers(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const numbered = Object.entries(variables).map(([name, value]) => [
    name.replace(/^(AUTH|RESOURCE)_/, "$1_1_"),
    value,
  ]);
  return { ...variables, ...Object.fromEntries(numbered) };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolvePromise) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolvePromise(true)).once("error", () => resolvePromise(false));
    socket.once("connect", () => socket.destroy());
  });
}
