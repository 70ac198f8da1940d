import { Secret } from "@cobs/service-edge/configuration";
import { expect } from "chai";
import { sandboxLayout } from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { runCore } from "../../../packages/sandbox/src/start/run-core.ts";
import { createStopOrder } from "../../../packages/sandbox/src/start/stop-order.ts";

/** What becomes of a request for a core system, with what is said of it. */
async function tryWith(core: Parameters<typeof runCore>[0]["core"]) {
  const said: string[] = [];
  const nowhere = new Secret("postgresql://nobody@127.0.0.1:1/nothing");
  const url = await runCore({
    core,
    layout: sandboxLayout("/nowhere"),
    databases: {
      urls: { auth: nowhere, resource: nowhere },
      embedded: [],
      passwords: { auth: "", resource: "" },
    },
    stopOrder: createStopOrder(),
    say: (line) => void said.push(line),
  });
  return { url, said };
}

describe("Core system of a sandbox", () => {
  it("is the configured one, at its whole URL, and nothing is started in its place", async () => {
    const core = new URL("https://localhost:9555/core");
    const { url, said } = await tryWith(core);
    expect(url).to.equal("https://localhost:9555/core");
    expect(said).to.have.lengthOf(1);
    expect(said[0]).to.match(
      /^accounts and payments are those of the core system at https:\/\/localhost:9555\/core/,
    );
  });

  it("takes the payment of the demo and the mass of transactions away, and the start says so", async () => {
    const { said } = await tryWith(new URL("https://localhost:9555/core"));
    expect(said[0])
      .to.include("npm run tpp -- demo leaves out its payment")
      .and.include("npm run seed adds nothing there");
  });

  it("is absent when resource has the demo bank in its database", async () => {
    expect(await tryWith("direct")).to.deep.equal({ url: undefined, said: [] });
  });
});
