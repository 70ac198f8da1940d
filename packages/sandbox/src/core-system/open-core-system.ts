/**
 * A core system that serves any bank over the contract of `packages/resource/core-contract`, as a bank's integrator would
 * build it: to try the HTTP connector, and as an example of the contract. It owns the wire; the bank behind it answers.
 */
import type { Bank } from "@cobs/resource/sandbox";
import {
  createListenerApplication,
  type KeyPairFiles,
  type Listener,
  type Log,
  openTlsListener,
  systemClock,
} from "@cobs/service-edge";
import { createCoreRoutes } from "./core-routes.ts";
import { presentCoreError, presentCoreProtocolError } from "./present-core-error.ts";

/** Where a core system listens, and who may call it. */
export interface CoreSystemPlace {
  /** 0 takes a free port. */
  readonly port: number;
  readonly keyPair: KeyPairFiles;
  /** PEM of the authority that must have certified the caller. */
  readonly authority: string;
  readonly log: Log;
}

/** An open core system and its URL. */
export interface OpenCoreSystem {
  readonly url: string;
  close(): Promise<void>;
}

const DRAIN_LIMIT_MILLISECONDS = 1_000;

/** Opens a core system on loopback, over mutual TLS. */
export async function openCoreSystem(bank: Bank, place: CoreSystemPlace): Promise<OpenCoreSystem> {
  const { port, keyPair, authority, log } = place;
  const listener = await openTlsListener({
    name: "core-system",
    host: "127.0.0.1",
    port,
    keyPair,
    clientCertificates: { kind: "required", authorities: () => [authority] },
    // The handler is created once the port is known.
    handle: (request, response) => handle(request, response),
    log,
    presentProtocolError: presentCoreProtocolError,
  });
  const handle = createListenerApplication({
    name: "core-system",
    routes: createCoreRoutes(bank),
    hosts: [`localhost:${listener.port}`, `127.0.0.1:${listener.port}`],
    responses: "data",
    presentError: presentCoreError,
    log,
    metrics: { observe: () => undefined, observeGone: () => undefined },
    clock: systemClock,
  });
  return { url: `https://localhost:${listener.port}`, close: () => closeSoon(listener) };
}

function closeSoon(listener: Listener): Promise<void> {
  return listener.close(DRAIN_LIMIT_MILLISECONDS);
}
