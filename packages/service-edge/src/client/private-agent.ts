import { createSecureContext } from "node:tls";
import { Agent } from "undici";
import type { ClientIdentity, CurrentIdentity } from "./current-identity.ts";

/** Whom a private agent believes, and what it shows; the rest is for its connections. */
export interface PrivateAgentOptions extends Omit<Agent.Options, "connect"> {
  /** PEM of the only authorities that may certify the other side. */
  readonly authority: string | readonly string[];
  /** Without one it shows no certificate (no mutual TLS). */
  readonly identity?: CurrentIdentity | undefined;
  /** How long a connection may take to be made, in milliseconds. */
  readonly connectMilliseconds: number;
}

/** Connections to a service that only the bank knows. */
export interface PrivateAgent {
  /** For a call that begins now: its connection shows what this side is now, also where others were made before. */
  current(): Agent;
  /** Sends nothing more over the connections that there are; what is under way on them may end. */
  leaveConnections(): void;
  /** Ends when what is under way has ended. */
  close(): Promise<void>;
  /** Ends at once. */
  destroy(): Promise<void>;
}

/** Connections are made when they are needed. Throws where certificate and key cannot be used. */
export function openPrivateAgent({
  authority,
  identity,
  connectMilliseconds: timeout,
  ...options
}: PrivateAgentOptions): PrivateAgent {
  const ca = typeof authority === "string" ? authority : [...authority];
  const leaving = new Set<Agent>();
  let shown = identity?.();
  let secureContext = makeContext(ca, shown);
  let agent = open();

  function open(): Agent {
    // Whatever Node.js itself is told: NODE_TLS_REJECT_UNAUTHORIZED=0 counts where this is not said.
    return new Agent({ ...options, connect: { secureContext, rejectUnauthorized: true, timeout } });
  }

  function leaveConnections(): void {
    const left = agent;
    agent = open();
    leaving.add(left);
    const gone = () => leaving.delete(left);
    left.close().then(gone, gone);
  }

  return {
    current() {
      const now = identity?.();
      if (now !== shown) {
        secureContext = makeContext(ca, now);
        shown = now;
        // One that goes on being used would be refused on the day on which the former certificate ends.
        leaveConnections();
      }
      return agent;
    },
    leaveConnections,
    async close() {
      await Promise.all([agent, ...leaving].map((each) => each.close()));
    },
    async destroy() {
      await Promise.all([agent, ...leaving].map((each) => each.destroy()));
    },
  };
}

/** Made once: to read certificates and key takes longer than a call, and idle connections are soon left. */
function makeContext(ca: string | string[], shown: ClientIdentity | undefined) {
  const own = shown && { cert: shown.certificate, key: shown.key };
  return createSecureContext({ ca, ...own, minVersion: "TLSv1.2" });
}
