import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "chai";
import { choosePorts } from "../../../packages/sandbox/src/start/choose-ports.ts";
import { PORT_VARIABLES } from "../../../packages/sandbox/src/start/env.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { ANY_PORTS } from "../../support/service-environments.ts";

async function withTakenPort(work: (port: number) => Promise<void>, wanted = 0): Promise<void> {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  try {
    await work(typeof address === "object" && address !== null ? address.port : 0);
  } finally {
    server.close();
  }
}

describe("the ports of a sandbox", () => {
  it("are free and all different where none was wanted", async () => {
    const ports = await choosePorts({ ports: ANY_PORTS, unused: [], patienceMilliseconds: 0 });
    expect(new Set(Object.values(ports))).to.have.lengthOf(Object.keys(PORT_VARIABLES).length);
    expect(Object.values(ports).every((port) => port > 0)).to.equal(true);
  });

  it("name each taken one with its variable before anything starts", () =>
    withTakenPort(async (port) => {
      const ports = { ...ANY_PORTS, authBank: port };
      const refusal = await rejectionOf(choosePorts({ ports, unused: [], patienceMilliseconds: 0 }));
      expect(refusal).to.include({ code: "port_taken" });
      expect(refusal.message).to.include(`port ${port} on 127.0.0.1 (AUTH_BANK_PORT)`);
    }));

  it("come with another one to try, which there is", () =>
    withTakenPort(async (port) => {
      const ports = { ...ANY_PORTS, authBank: port };
      const refusal = await rejectionOf(choosePorts({ ports, unused: [], patienceMilliseconds: 0 }));
      expect(refusal.message).to.include("for example AUTH_BANK_PORT=25431 npm start");
    }, 65_431));

  it("are not looked at where the sandbox does not listen itself", () =>
    withTakenPort(async (port) => {
      const wanted = {
        ports: { ...ANY_PORTS, callback: port },
        unused: ["callback"],
        patienceMilliseconds: 0,
      } as const;
      expect((await choosePorts(wanted)).callback).to.equal(port);
    }));

  it("are waited for as long as the patience goes", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const choosing = choosePorts({
      ports: { ...ANY_PORTS, authBank: port },
      unused: [],
      patienceMilliseconds: 5_000,
    });
    server.close();
    expect((await choosing).authBank).to.equal(port);
  });
});
