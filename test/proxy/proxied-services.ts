import { readFileSync } from "node:fs";
import type { Agent } from "node:https";
import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import { openDatabase } from "@cobs/service-edge";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { accountIdsOf, ONE } from "../resource/small-bank.ts";
import { freePort } from "../support/free-port.ts";
import { onceLogged } from "../support/once-logged.ts";
import { type RawAnswer, send } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";
import { forwardedBy, type ProxyKind, type RunningProxy, startProxy } from "./proxy-stand.ts";

/** Host of the API, whichever service answers. */
export const API_HOST = "localhost:8444";

/** A TPP's call; `certificate` is the name of one, null presents none. */
export interface ProxiedCall {
  readonly certificate: string | null;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  readonly agent?: Agent;
}

/** Both services, connected to each other, behind one proxy with the two public names of a bank. */
export interface ProxiedServices {
  readonly proxy: RunningProxy;
  readonly auth: RunningAuth;
  readonly resource: RunningResource;
  /** Calls the API host as a TPP; returns when the log has the call's line. */
  call(call: ProxiedCall): Promise<RawAnswer>;
  /** Log line of the last TPP call that the service answered. */
  lastCall(service: "auth" | "resource"): Record<string, unknown>;
  /** Calls the browser host through the proxy. */
  browse(path: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  stop(): Promise<void>;
}

/** Starts both; auth's `psu-jana` has the account of `psu-one` at the bank. */
export async function startProxiedServices(kind: ProxyKind): Promise<ProxiedServices> {
  const [authBank, resourceBank] = [await freePort(), await freePort()];
  const [authBankUrl, resourceBankUrl] = [authBank, resourceBank].map((port) => `https://localhost:${port}`);
  if (authBankUrl === undefined || resourceBankUrl === undefined) throw new TypeError("two ports, two URLs");
  const resource = await runResource({
    ...forwardedBy(kind),
    BASE_URL: `https://${API_HOST}`,
    BANK_PORT: String(resourceBank),
    BANK_URL: resourceBankUrl,
    AUTH_BANK_URL: authBankUrl,
  });
  const auth = await runAuth({
    ...forwardedBy(kind),
    MUTUAL_TLS_URL: `https://${API_HOST}`,
    BANK_PORT: String(authBank),
    BANK_URL: authBankUrl,
    RESOURCE_BANK_URL: resourceBankUrl,
  });
  await giveAccountToJana(resource);
  const proxy = await startProxy(kind, {
    certificates: auth.certificates,
    authApi: auth.ports.mutualTls,
    authBrowser: auth.ports.browser,
    resourceApi: resource.ports.mutualTls,
  });
  const ca = readFileSync(auth.certificates.caFile);
  return {
    proxy,
    auth,
    resource,
    call: ({ certificate, method = "GET", path, headers, body, agent }) => {
      const options = {
        port: proxy.apiPort,
        method,
        path,
        ca,
        ...keyPairOf(auth, certificate),
        ...(agent && { agent }),
        headers: { host: API_HOST, ...headers },
      };
      return onceLogged(send(options, body), auth.logLines, resource.logLines);
    },
    lastCall: (service) => callsOfTpps({ auth, resource }[service].logLines).at(-1) ?? {},
    browse: (path, headers) =>
      send({ port: proxy.browserPort, path, ca, headers: { host: "localhost:8443", ...headers } }),
    stop: async () => {
      await proxy.stop();
      await auth.stop();
      await resource.stop();
    },
  };
}

/** Log lines of TPPs' calls, because the services call each other too. */
export function callsOfTpps(lines: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  return lines.filter(({ msg, listener }) => msg === "call" && listener === "mutual-tls");
}

function keyPairOf(auth: RunningAuth, certificate: string | null) {
  if (certificate === null) return {};
  const { certificateFile, keyFile } = auth.tpp(certificate);
  return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}

async function giveAccountToJana({ config }: RunningResource): Promise<void> {
  const { log } = readableLog();
  const options = { maxConnections: 1, applicationName: "seed", log, timeLimits: PATIENT };
  const database = openDatabase({ url: config.databaseUrl, ...options });
  const access = accountIdsOf(ONE).map((id) => ({
    psu: parsePsuId("psu-jana"),
    account: parseAccountId(id),
  }));
  await seedSandboxBank(database, { name: "jana", ledger: [], accounts: [], access, bookings: [] });
  await database.close();
}
