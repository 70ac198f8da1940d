import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { Provider } from "oidc-provider";
import { emptyingContexts } from "../../../packages/auth/src/provider/empty-contexts.ts";
import { eventually } from "../../support/eventually.ts";

type Context = Record<string | symbol, unknown> & { oidc?: Record<string, unknown> };

/** What a context, or what is the provider's own in it, still leads to; the getter that the provider gives it is no value. */
function heldBy(holder: object): readonly unknown[] {
  return Reflect.ownKeys(holder).filter((name) => {
    const value = Object.getOwnPropertyDescriptor(holder, name)?.value;
    return value !== undefined;
  });
}

/** A provider over HTTP, in whose calls `during` runs before they are answered. */
async function serve(during: (context: Context) => Promise<void>) {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider("https://login.bank.example", {
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
  });
  const contexts: Context[] = [];
  const callback = provider.callback.bind(provider);
  // Behind whatever is put before it.
  provider.callback = () => {
    provider.use(async (context, next) => {
      contexts.push(context as unknown as Context);
      await during(context as unknown as Context);
      await next();
    });
    return callback();
  };
  const handle = emptyingContexts(provider);
  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, contexts, close: () => server.close() };
}

describe("The contexts of the provider's calls", () => {
  for (const path of ["/.well-known/openid-configuration", "/nothing-here"])
    it(`hold nothing any more once ${path} is answered`, async () => {
      const { origin, contexts, close } = await serve(async () => undefined);
      const answer = await fetch(`${origin}${path}`);
      expect(await answer.text()).to.not.equal("");
      const [context] = contexts;
      if (context === undefined) throw new Error("no call came");
      await eventually(() => heldBy(context).length === 0);
      if (context.oidc !== undefined) expect(heldBy(context.oidc)).to.deep.equal([]);
      close();
    });

  it("stay whole while a call is worked on, even if its caller has gone", async () => {
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { origin, contexts, close } = await serve(() => waiting);
    const request = get(`${origin}/.well-known/openid-configuration`).on("error", () => {});
    await eventually(() => contexts.length === 1);
    const [context] = contexts;
    if (context === undefined) throw new Error("no call came");
    request.destroy();
    await eventually(() => (context.res as { closed: boolean }).closed);
    // Whoever listens for that has been told.
    await delay(20);
    expect(heldBy(context)).to.include.members(["app", "req", "res"]);
    goOn();
    await eventually(() => heldBy(context).length === 0);
    close();
  });
});
