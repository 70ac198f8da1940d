import type { SandboxPorts } from "../../packages/sandbox/src/start/env.ts";
import type { ServiceName } from "../../packages/sandbox/src/start/service-program.ts";
import { freePort } from "../../test/support/free-port.ts";

/** Ports of one process of a service. Resource has no port for browsers and ignores it. */
export interface MemberPorts {
  readonly browser: number;
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

/** Every port of a topology. */
export interface TopologyPorts {
  /** The proxy's ports, as a sandbox has them: the API host is one port for both services. */
  readonly shown: SandboxPorts;
  readonly members: Readonly<Record<ServiceName, readonly MemberPorts[]>>;
}

/** Chooses free ports, all different. */
export async function chooseTopologyPorts(count: number): Promise<TopologyPorts> {
  const next = differentPorts();
  const members = { auth: await memberPorts(count, next), resource: await memberPorts(count, next) };
  const api = await next();
  const operatorOf = (service: ServiceName) => members[service][0]?.operator ?? 0;
  return {
    members,
    shown: {
      authBrowser: await next(),
      authMutualTls: api,
      authBank: await next(),
      authOperator: operatorOf("auth"),
      resourceMutualTls: api,
      resourceBank: await next(),
      resourceOperator: operatorOf("resource"),
      callback: await next(),
      revocation: await next(),
      postgres: await next(),
    },
  };
}

function differentPorts(): () => Promise<number> {
  const taken = new Set<number>();
  return async () => {
    let port = await freePort();
    while (taken.has(port)) port = await freePort();
    taken.add(port);
    return port;
  };
}

async function memberPorts(count: number, next: () => Promise<number>): Promise<readonly MemberPorts[]> {
  const members: MemberPorts[] = [];
  for (let index = 0; index < count; index += 1)
    members.push({
      browser: await next(),
      mutualTls: await next(),
      bank: await next(),
      operator: await next(),
    });
  return members;
}
