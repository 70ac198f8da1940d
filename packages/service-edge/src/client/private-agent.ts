import { createSecureContext } from "node:tls";
import { Agent } from "undici";
import type { ClientIdentity, CurrentIdentity } from "./current-identity.ts";

/** The authorities that a private agent trusts and the identity that it shows; the rest configures its connections. */
export interface PrivateAgentOptions extends Omit<Agent.Options, "connect"> {
  /** PEM of the only authorities that may certify the other side. */
  readonly authority: string | readonly string[];
  /** Identity to show; without one, no certificate (no mutual TLS). */
  readonly identity?: CurrentIdentity | undefined;
  /** Milliseconds within which a connection must be made. */
  readonly connectMilliseconds: number;
}

/** Connections to a service inside the bank. */
export interface PrivateAgent {
  /**
   * Returns the agent for a call that begins now. Its connections show the current identity, although older ones showed
   * another.
   */
  current(): Agent;
  /** Sends nothing more over the present connections; calls under way on them may end. */
  leaveConnections(): void;
  /** Closes when the calls under way have ended. */
  close(): Promise<void>;
  /** Closes at once. */
  destroy(): Promise<void>;
}

/** Opens an agent that connects when needed. Throws if the certificate and key cannot be used. */
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
    // Set explicitly, because otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would apply.
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
        // A connection still in use would be refused on the day on which the former certificate ends.
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

/** Makes the context once: reading certificates and key takes longer than a call, and idle connections are soon closed. */
function makeContext(ca: string | string[], shown: ClientIdentity | undefined) {
  const own = shown && { cert: shown.certificate, key: shown.key };
  return createSecureContext({ ca, ...own, minVersion: "TLSv1.2" });
}
