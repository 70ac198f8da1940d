/** The scene of an ending that must bite everywhere: beside the sandbox's services a second process of each. */
import type { TppClient } from "../support/tpp-client.ts";
import { journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { type SecondAuth, startSecondAuth } from "./second-auth.ts";
import { type SecondResource, startSecondResource } from "./second-resource.ts";

/** Who calls, and what answers beside the sandbox. */
export interface SecondServices {
  readonly tpp: TppClient;
  readonly auth: SecondAuth;
  readonly resource: SecondResource;
}

/** Starts them before the tests of a suite, for a TPP with a certificate of the sandbox, and ends them afterwards. */
export function startSecondServices(certificate: string): () => SecondServices {
  let running: SecondServices | undefined;
  before(async () => {
    const sandbox = await journeySandbox();
    const tpp = await journeyTpp(certificate);
    const auth = await startSecondAuth(sandbox);
    running = { tpp, auth, resource: await startSecondResource(sandbox, auth.bank) };
  });
  after(async () => {
    await running?.resource.stop();
    await running?.auth.stop();
  });
  return () => {
    if (running === undefined) throw new Error("the second services are not running");
    return running;
  };
}
