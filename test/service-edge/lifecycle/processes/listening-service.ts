/** A service that has only a TLS listener, which answers each call with the number of its process. */
import { openTlsListener } from "@cobs/service-edge";
import { runService } from "../../../../packages/service-edge/src/lifecycle/run-service.ts";

await runService({
  name: "listening",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure: ({ OPERATOR_PORT, PORT, CERTIFICATE_FILE = "", KEY_FILE = "", DRAIN_DELAY_SECONDS }) => ({
    logLevel: "info",
    operatorHost: "127.0.0.1",
    operatorPort: Number(OPERATOR_PORT),
    drainDelaySeconds: Number(DRAIN_DELAY_SECONDS),
    drainLimitSeconds: 10,
    port: Number(PORT),
    keyPair: { certificateFile: CERTIFICATE_FILE, keyFile: KEY_FILE },
  }),
  start: async ({ port, keyPair, drainLimitSeconds }, { log, lifecycle, supervisor }) => {
    log.info({ pid: process.pid }, "begun");
    const { drain, close } = await openTlsListener({
      name: "only",
      host: "127.0.0.1",
      port,
      keyPair,
      clientCertificates: { kind: "never-asked" },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log,
      handle: (_request, response) => void response.end(`process ${supervisor?.number}`),
    });
    lifecycle.onDrain("only", { drain, close: () => close(drainLimitSeconds * 1_000) });
  },
});
