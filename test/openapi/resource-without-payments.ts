import { readFileSync } from "node:fs";
import { startResource } from "../../packages/resource/src/service.ts";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { HOST } from "../resource/resource-calls.ts";
import type { RunningResource } from "../resource/running-resource.ts";
import { onceLogged } from "../support/once-logged.ts";
import { send } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";

/** Starts another process of a resource server, with `PAYMENTS=off`; it is called and stopped separately. */
export async function runWithoutPayments(resource: RunningResource): Promise<RunningResource> {
  const { config, clock, certificates, tpp } = resource;
  const { log, lines } = readableLog();
  const lifecycle = createLifecycle(log);
  const ports = await startResource({ ...config, payments: "off" }, { log, lifecycle, clock });
  const call: RunningResource["call"] = ({ certificate, token, method, path, headers, body }) => {
    const { certificateFile, keyFile } = tpp(certificate ?? "aisp-pisp");
    const options = {
      port: ports.mutualTls,
      method: method ?? "GET",
      path: path ?? "",
      ca: readFileSync(certificates.caFile),
      cert: readFileSync(certificateFile),
      key: readFileSync(keyFile),
      headers: { host: HOST, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    };
    return onceLogged(send(options, body), lines);
  };
  return { ...resource, ports, call, stop: () => lifecycle.stop() };
}
