/**
 * Both services as a bank runs them, as plain processes: HAProxy with mutual TLS in front, two processes of each service from
 * their `tsc` output, a database for each service, Redis if one is given, and the sandbox's authorities, people and ready
 * application. It owns processes and files; HAProxy reads the file that `docker-compose.yml` mounts.
 */
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { writeProxyFiles } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { readAnsweringAuthorities } from "../../packages/sandbox/src/revocation/answering-authorities.ts";
import {
  openRevocationResponder,
  revocationUrls,
} from "../../packages/sandbox/src/revocation/revocation-responder.ts";
import { openRevokedCertificates } from "../../packages/sandbox/src/revocation/revoked-certificates.ts";
import {
  type ReadySandbox,
  requireReady,
  writeSandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import {
  type SandboxLayout,
  sandboxLayout,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { configureSandbox } from "../../packages/sandbox/src/start/config.ts";
import { planDatabases } from "../../packages/sandbox/src/start/databases.ts";
import type { SandboxPorts } from "../../packages/sandbox/src/start/env.ts";
import { prepareFilling } from "../../packages/sandbox/src/start/fill-sandbox.ts";
import {
  keepDatabaseServer,
  needsDatabaseServer,
} from "../../packages/sandbox/src/start/keep-database-server.ts";
import { lockSandbox } from "../../packages/sandbox/src/start/lock-sandbox.ts";
import { makeSandboxFolder } from "../../packages/sandbox/src/start/make-sandbox-folder.ts";
import type { ProcessEnd } from "../../packages/sandbox/src/start/running-process.ts";
import { gatherFacts } from "../../packages/sandbox/src/start/sandbox-facts.ts";
import { keepSealingKey } from "../../packages/sandbox/src/start/sandbox-secrets.ts";
import type { ServiceEnvironment } from "../../packages/sandbox/src/start/service-environment.ts";
import type { ServiceName } from "../../packages/sandbox/src/start/service-program.ts";
import { createStopOrder, type StopOrder } from "../../packages/sandbox/src/start/stop-order.ts";
import { createMember, type Member, type OwnedMember } from "./member.ts";
import { type MemberSurroundings, memberEnvironment } from "./member-environment.ts";
import { startHaproxy } from "./start-haproxy.ts";
import { chooseTopologyPorts, type TopologyPorts } from "./topology-ports.ts";

export type { Member } from "./member.ts";

/** Options of a topology. */
export interface TopologyOptions {
  /** Folder of everything that it keeps; created if missing. */
  readonly directory: string;
  /** URLs of a database for each service; without them an embedded PostgreSQL has both. */
  readonly database?: { readonly auth: string; readonly resource: string };
  /** URL of a Redis for auth; without it PostgreSQL keeps everything. */
  readonly redis?: string;
  /** Processes of each service: 2 by default, 4 at most. */
  readonly processes?: number;
  /** Folder of the built tree that the services run from; by default this one. */
  readonly root?: string;
  /** Arguments of each member, such as `--processes 2`. */
  readonly commandLine?: readonly string[];
  /** Variables that override the members' environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Puts something between the services; returns the variables that tell each service of it. `ports` are the proxy's. */
  readonly between?: (ports: SandboxPorts) => Promise<Readonly<Record<ServiceName, ServiceEnvironment>>>;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
}

/** A running topology. */
export interface Topology {
  /** The document as `npm start` writes it; its addresses are the proxy's. */
  readonly document: ReadySandbox;
  /** The two public origins. */
  readonly origins: { readonly api: string; readonly browser: string };
  readonly proxyPid: number;
  /** File of the certificate and key with which the proxy calls the members. */
  readonly proxyIdentity: string;
  readonly members: readonly Member[];
  signal(member: Member, name: NodeJS.Signals): void;
  /** Resolves with how the running process ended. */
  ended(member: Member): Promise<ProcessEnd>;
  /** Starts a member that has ended, from another built tree if one is given; resolves when it is ready. */
  start(member: Member, root?: string): Promise<void>;
  /** Sends SIGTERM, waits for the end, and starts again; returns how it ended. */
  restart(member: Member, root?: string): Promise<ProcessEnd>;
  stop(): Promise<void>;
}

const OWN_ROOT = resolve(import.meta.dirname, "../..");
/** Two signals within half a second count as one. */
const SECOND_SIGNAL_AFTER_MILLISECONDS = 700;
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Starts everything and waits until it is ready; on a failure, stops what was started before. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const stopOrder = createStopOrder();
  try {
    return await open(options, stopOrder);
  } catch (error) {
    await stopOrder.stop();
    throw error;
  }
}

async function open(options: TopologyOptions, stopOrder: StopOrder): Promise<Topology> {
  const layout = sandboxLayout(resolve(options.directory));
  await makeSandboxFolder(layout.directory);
  const lock = await lockSandbox(layout.lock, "give another --directory");
  await stopOrder.add({ stop: () => lock.release() });
  const ports = await chooseTopologyPorts(options.processes ?? 2);
  const surroundings = await prepareSurroundings(options, layout, ports);
  const { certificates } = surroundings;
  const databases = await openDatabases(options, { layout, ports, stopOrder });
  await answerRevocation(layout, ports, stopOrder);
  const members = planMembers(options, ports, surroundings);
  await stopOrder.add(...members.map(stopping));
  const { say } = options;
  const filling = await prepareFilling({ layout, databases, say });
  const facts = gatherFacts({
    directory: layout.directory,
    ports: ports.shown,
    certificates,
    databases,
    people: filling.people,
    core: "direct",
  });
  const proxyFiles = await writeProxyFiles(join(layout.directory, "proxy"), certificates);
  // From here on every wait includes the seeding, so that its failure is noticed at once.
  const seeded = filling.seed();
  const openProxy = async () => {
    const logFile = join(layout.directory, "logs", "haproxy.log");
    const started = await startHaproxy({ ports, inherited: { PATH }, files: proxyFiles, logFile });
    await stopOrder.add(started);
    return started;
  };
  const [proxy] = await Promise.all([openProxy(), seeded.then(() => startMembers(members))]);
  say("two public names, and the members behind them, are ready");
  const readyApplication = await filling.keepReadyApplication(facts, seeded);
  const pidOf = (service: ServiceName) => members.find((member) => member.service === service)?.pid ?? 0;
  const document = requireReady({
    ...facts,
    readyApplication,
    processes: { supervisor: process.pid, auth: pidOf("auth"), resource: pidOf("resource"), postgres: null },
  });
  await writeSandboxDocument(layout.document, document);
  return present(document, { members, proxyPid: proxy.pid, stopOrder });
}

interface Place {
  readonly layout: SandboxLayout;
  readonly ports: TopologyPorts;
  readonly stopOrder: StopOrder;
}

async function prepareSurroundings(
  { environment = {}, between = async () => ({ auth: {}, resource: {} }) }: TopologyOptions,
  layout: SandboxLayout,
  { shown }: TopologyPorts,
): Promise<MemberSurroundings> {
  const urls = revocationUrls(shown.revocation);
  const certificates = await writeSandboxCertificates(layout.certificates, new Date(), urls);
  await keepSealingKey(layout);
  return {
    layout,
    ports: shown,
    certificates,
    inherited: { PATH },
    more: environment,
    own: await between(shown),
  };
}

async function openDatabases(
  { database, redis, directory, say }: TopologyOptions,
  { layout, ports, stopOrder }: Place,
) {
  const config = configureSandbox({
    SANDBOX_DIRECTORY: directory,
    ...(database && { AUTH_DATABASE_URL: database.auth, RESOURCE_DATABASE_URL: database.resource }),
    ...(redis !== undefined && { REDIS_URL: redis }),
  });
  const port = ports.shown.postgres;
  const databases = await planDatabases(config, layout, port);
  const onRestart = async () => undefined;
  if (needsDatabaseServer(config))
    await keepDatabaseServer({ directory: layout.postgres, port, databases, stopOrder, onRestart, say });
  return databases;
}

async function answerRevocation({ certificates }: SandboxLayout, ports: TopologyPorts, stopOrder: StopOrder) {
  const authorities = () => readAnsweringAuthorities(certificates);
  const revoked = openRevokedCertificates(certificates);
  await stopOrder.add(await openRevocationResponder({ authorities, revoked, port: ports.shown.revocation }));
}

function planMembers(options: TopologyOptions, ports: TopologyPorts, surroundings: MemberSurroundings) {
  const { root = OWN_ROOT, commandLine = [] } = options;
  const plan = (service: ServiceName) =>
    ports.members[service].map((own, index) =>
      createMember({
        service,
        index,
        root,
        commandLine,
        operatorPort: own.operator,
        ports: own,
        logFile: join(surroundings.layout.directory, "logs", `${service}-${index + 1}.log`),
        environment: memberEnvironment(service, own, surroundings),
      }),
    );
  return [...plan("auth"), ...plan("resource")];
}

async function startMembers(members: readonly OwnedMember[]): Promise<void> {
  await Promise.all(members.map((member) => member.start()));
}

/** Stops a member. The second signal skips its wait for the proxy, which may be gone already when everything stops. */
function stopping(member: OwnedMember) {
  return {
    stop: async () => {
      if (!member.running) return;
      member.signal("SIGTERM");
      await Promise.race([member.ended(), delay(SECOND_SIGNAL_AFTER_MILLISECONDS)]);
      if (member.running) member.signal("SIGTERM");
      await member.ended();
    },
  };
}

interface Opened {
  readonly members: readonly OwnedMember[];
  readonly proxyPid: number;
  readonly stopOrder: StopOrder;
}

function present(document: ReadySandbox, { members, proxyPid, stopOrder }: Opened): Topology {
  const owned = ({ service, index }: Member) => {
    const found = members.find((each) => each.service === service && each.index === index);
    if (found === undefined) throw new TypeError(`there is no member ${service} ${index}`);
    return found;
  };
  return {
    document,
    origins: { api: document.auth.mutualTls, browser: document.auth.browser },
    proxyPid,
    proxyIdentity: join(document.directory, "proxy", "proxy.pem"),
    members,
    signal: (member, name) => owned(member).signal(name),
    ended: (member) => owned(member).ended(),
    start: (member, root) => owned(member).start(root),
    restart: async (member, root) => {
      owned(member).signal("SIGTERM");
      const end = await owned(member).ended();
      await owned(member).start(root);
      return end;
    },
    stop: () => stopOrder.stop(),
  };
}
