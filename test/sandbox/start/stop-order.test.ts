import { expect } from "chai";
import { createStopOrder } from "../../../packages/sandbox/src/start/stop-order.ts";

describe("Order of stopping", () => {
  it("is the reverse of the order of starting", async () => {
    const stopped: string[] = [];
    const part = (name: string) => ({ stop: async () => void stopped.push(name) });
    const order = createStopOrder();
    await order.add(part("lock"));
    await order.add(part("database"));
    await order.add(part("auth"), part("resource"));
    await order.stop();
    expect(stopped).to.deep.equal(["auth", "resource", "database", "lock"]);
  });

  it("continues when a part fails to stop", async () => {
    const stopped: string[] = [];
    const order = createStopOrder();
    await order.add({ stop: async () => void stopped.push("database") });
    await order.add({ stop: () => Promise.reject(new Error("stuck")) });
    await order.stop();
    expect(stopped).to.deep.equal(["database"]);
  });

  it("stops at once what is started after stopping began", async () => {
    const stopped: string[] = [];
    const order = createStopOrder();
    await order.stop();
    await order.add({ stop: async () => void stopped.push("late") });
    expect(stopped).to.deep.equal(["late"]);
  });
});
