/**
 * The tests of what differs among releases of Node.js, on others than the one that runs everything else: `COBS_TEST_NODES` names
 * their programs, separated by colons.
 */
import { spawnSync } from "node:child_process";

const TESTS = [
  "test/auth/application-content.test.ts",
  "test/auth/token-endpoint.test.ts",
  "test/journeys/certificate-matrix.test.ts",
  "test/service-edge/gather-octets.test.ts",
  "test/service-edge/issuing-anchor.test.ts",
  "test/service-edge/keep-issuers.test.ts",
  "test/service-edge/listener-application.test.ts",
  "test/service-edge/refused-signature.test.ts",
  "test/service-edge/session-certificate.test.ts",
  "test/service-edge/tls-listener.test.ts",
  "test/service-edge/unnamed-curves.test.ts",
];

const programs = (process.env.COBS_TEST_NODES ?? "").split(":").filter((program) => program !== "");
if (programs.length === 0) {
  console.error("COBS_TEST_NODES names no Node.js program");
  process.exit(2);
}
for (const program of programs) {
  console.log(`\n${program}`);
  const command = ["node_modules/mocha/bin/mocha.js", ...TESTS];
  const { status, error } = spawnSync(program, command, { stdio: "inherit" });
  if (error !== undefined) console.error(`it cannot be run: ${error.message}`);
  if (status !== 0) process.exitCode = 1;
}
