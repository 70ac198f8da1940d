/**
 * Beside the sandbox's services a second process of each, for what must hold in all. The suites that use them follow one another
 * in a run, share them, and the last one ends them.
 */
import type { TppClient } from "../../support/tpp-client.ts";
import { journeySandbox, journeyTpp } from "../journey-sandbox.ts";
import { type SecondAuth, startSecondAuth } from "../second-auth.ts";
import { type SecondResource, startSecondResource } from "../second-resource.ts";

/** Who calls, and what answers beside the sandbox. */
export interface SecondServices {
  readonly tpp: TppClient;
  readonly auth: SecondAuth;
  readonly resource: SecondResource;
}

let suitesToCome = 0;
let auth: Promise<SecondAuth> | undefined;
let resource: Promise<SecondResource> | undefined;

/** Has both running before the tests of a suite, for a TPP with a certificate of the sandbox. */
export function useSecondServices(certificate: string): () => SecondServices {
  return useBeforeTests(async () => {
    const tpp = await journeyTpp(certificate);
    return { tpp, auth: await runningAuth(), resource: await runningResource() };
  });
}

/** The same of auth alone. */
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

// Where only some tests were asked for, a suite without any of them has not said that it is over.
after(stop);
