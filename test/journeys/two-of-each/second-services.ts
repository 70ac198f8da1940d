/**
 * A second process of each service beside the sandbox's, for what must hold in all processes. The suites that use them run one
 * after the other and share them; the last one ends them.
 */
import type { TppClient } from "../../support/tpp-client.ts";
import { journeySandbox, journeyTpp } from "../journey-sandbox.ts";
import { type SecondAuth, startSecondAuth } from "../second-auth.ts";
import { type SecondResource, startSecondResource } from "../second-resource.ts";

/** The TPP that calls, and the services beside the sandbox's. */
export interface SecondServices {
  readonly tpp: TppClient;
  readonly auth: SecondAuth;
  readonly resource: SecondResource;
}

let suitesToCome = 0;
let auth: Promise<SecondAuth> | undefined;
let resource: Promise<SecondResource> | undefined;

/** Keeps both running during the tests of a suite, for a TPP with a certificate of the sandbox. */
export function useSecondServices(certificate: string): () => SecondServices {
  return useBeforeTests(async () => {
    const tpp = await journeyTpp(certificate);
    return { tpp, auth: await runningAuth(), resource: await runningResource() };
  });
}

/** The same with auth alone. */
export function useSecondAuth(): () => SecondAuth {
  return useBeforeTests(runningAuth);
}

function useBeforeTests<T>(start: () => Promise<T>): () => T {
  suitesToCome += 1;
  let running: T | undefined;
  before(async () => {
    running = await start();
  });
  after(async () => {
    suitesToCome -= 1;
    if (suitesToCome === 0) await stop();
  });
  return () => {
    if (running === undefined) throw new Error("the second services are not running");
    return running;
  };
}

function runningAuth(): Promise<SecondAuth> {
  auth ??= journeySandbox().then((sandbox) => startSecondAuth(sandbox));
  return auth;
}

function runningResource(): Promise<SecondResource> {
  resource ??= startResource();
  return resource;
}

async function startResource(): Promise<SecondResource> {
  return startSecondResource(await journeySandbox(), (await runningAuth()).bank);
}

async function stop(): Promise<void> {
  const [startedAuth, startedResource] = [auth, resource];
  [auth, resource] = [undefined, undefined];
  await (await startedResource)?.stop();
  await (await startedAuth)?.stop();
}

// If only some tests were requested, a suite without any of them has not reported its end.
after(stop);
