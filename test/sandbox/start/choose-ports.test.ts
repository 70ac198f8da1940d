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

describe("Ports of a sandbox", () => {
  it("are free and all different when none was configured", async () => {
    const ports = await choosePorts({ ports: ANY_PORTS, unused: [], patienceMilliseconds: 0 });
    expect(new Set(Object.values(ports))).to.have.lengthOf(Object.keys(PORT_VARIABLES).length);
    expect(Object.values(ports).every((port) => port > 0)).to.equal(true);
  });

  it("are refused before anything starts if taken, each named with its variable", () =>
    withTakenPort(async (port) => {
      const ports = { ...ANY_PORTS, authBank: port };
      const refusal = await rejectionOf(choosePorts({ ports, unused: [], patienceMilliseconds: 0 }));
      expect(refusal).to.include({ code: "port_taken" });
      expect(refusal.message).to.include(`port ${port} on 127.0.0.1 (AUTH_BANK_PORT)`);
    }));

  it("are reported differently when another process has one and when this user may not open it", async () => {
    const wanted = {
      ports: { ...ANY_PORTS, authBank: 443, callback: 7_443 },
      unused: [],
      patienceMilliseconds: 0,
    };
    const only = async (name: "authBank" | "callback") => {
      const ports = { ...ANY_PORTS, [name]: wanted.ports[name] };
      const lookAt = async (port: number) => (port === 443 ? "forbidden" : "taken");
      return (await rejectionOf(choosePorts({ ...wanted, ports }, lookAt))).message;
    };
    expect(await only("authBank")).to.equal(
      "May not be opened by this user:\n  port 443 on 127.0.0.1 (AUTH_BANK_PORT)\n" +
        "Choose another port, for example AUTH_BANK_PORT=10443 npm start.",
    );
    expect(await only("callback")).to.equal(
      "Taken by another process:\n  port 7443 on 127.0.0.1 (CALLBACK_PORT)\n" +
        "Stop that process, or choose another port, for example CALLBACK_PORT=17443 npm start.",
    );
  });

  it("are refused with an example of another valid port", () =>
    withTakenPort(async (port) => {
      const ports = { ...ANY_PORTS, authBank: port };
      const refusal = await rejectionOf(choosePorts({ ports, unused: [], patienceMilliseconds: 0 }));
      expect(refusal.message).to.include("for example AUTH_BANK_PORT=25431 npm start");
    }, 65_431));

  it("are not checked where the sandbox itself does not listen", () =>
    withTakenPort(async (port) => {
      const wanted = {
        ports: { ...ANY_PORTS, callback: port },
        unused: ["callback"],
        patienceMilliseconds: 0,
      } as const;
      expect((await choosePorts(wanted)).callback).to.equal(port);
    }));

  it("are waited for as long as the patience lasts", async () => {
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
