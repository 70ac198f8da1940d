import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startProgram } from "../../support/program.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";

const LISTENER = "mutual-tls";
const LIMIT = 10;
const TOO_MANY = 4;
/** Enough to load the program; five eighths of it is the limit of a process for strangers where its own is higher. */
const FILES = 400;
const FITTING = 250;
/** Few enough not to fill the first process, which has no more files and hands each connection on. */
const BATCH = 50;
const LIMITS = [
  { by: "its own", processes: 1, limit: LIMIT, variables: { MAX_CONNECTIONS: String(LIMIT) } },
  { by: "its own", processes: 2, limit: LIMIT, variables: { MAX_CONNECTIONS: String(LIMIT) } },
  { by: "its open files", processes: 2, limit: FITTING, variables: {}, files: FILES },
];
const PATIENCE_MILLISECONDS = 20_000;
/** Sooner than connections are cut on which no handshake begins. */
const CLOSED_WITHIN_MILLISECONDS = 8_000;

function open(port: number): Socket {
  return connect(port, "127.0.0.1").on("error", () => undefined);
}

/** The sum of a figure over the processes of a service, for one of its listeners. */
async function figure(operatorPort: number, name: string, listener: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${operatorPort}/metrics`);
  const series = new RegExp(`^${name}\\{(?=.*listener="${listener}").*\\} (\\d+)$`, "gm");
  const values = [...(await answer.text()).matchAll(series)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0);
}

/** Whether a connection gets as far as TLS. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      resolve(true);
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(false));
  });
}

describe("Service at its limit of connections", () => {
  const folder = temporaryFolder();
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const { auth } = await makeServiceEnvironments(folder.path);
    environment = {
      ...auth,
      DATABASE_URL: await createMigratedTestDatabase(MIGRATIONS_DIRECTORY),
    };
  });
  after(() => folder.remove());

  for (const { by, processes, limit, variables, files } of LIMITS) {
    // Only Linux tells a process how many files it may open.
    if (files !== undefined && process.platform !== "linux") continue;
    it(`closes and counts further ones, and accepts new ones when some have gone (${processes}, by ${by})`, async () => {
      const port = await freePort();
      const operatorPort = await freePort();
      const bankPort = await freePort();
      const ports = {
        MUTUAL_TLS_PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        BANK_PORT: String(bankPort),
      };
      const changed = { ...environment, ...ports, ...variables };
      const commandLine = ["--processes", String(processes)];
      const service = startProgram("packages/auth/src/main.ts", commandLine, changed, files);
      try {
        await service.says("stdout", new RegExp(`("msg":"ready"[^]*){${processes}}`));
        const sockets: Socket[] = [];
        const closed = () => sockets.filter((socket) => socket.destroyed).length;
        const taken = () => figure(operatorPort, "tls_connections", LISTENER);
        const refused = () => figure(operatorPort, "tls_connections_refused_total", LISTENER);
        while (sockets.length < processes * limit) {
          for (let each = 0; each < Math.min(BATCH, limit); each += 1) sockets.push(open(port));
          await eventually(
            async () => (await taken()) + (await refused()) === sockets.length,
            PATIENCE_MILLISECONDS,
          );
        }
        for (let each = 0; each < TOO_MANY; each += 1) sockets.push(open(port));
        // Or more: several processes need not get the same number, and one that is counted is not closed here at once.
        await eventually(
          async () => closed() >= TOO_MANY && (await refused()) === closed(),
          CLOSED_WITHIN_MILLISECONDS,
        );
        expect(await taken()).to.equal(sockets.length - closed());
        expect(await isTaken(bankPort), "the bank's own callers").to.equal(true);
        for (const socket of sockets) socket.destroy();
        await eventually(async () => (await taken()) === 0, PATIENCE_MILLISECONDS);
        await eventually(() => isTaken(port), PATIENCE_MILLISECONDS);
      } finally {
        service.child.kill("SIGTERM");
      }
      expect((await service.ended()).exitCode).to.equal(0);
    });
  }
});
