import { Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { Agent, buildConnector } from "undici";
import type { ClientIdentity, CurrentIdentity } from "./current-identity.ts";

/** The authorities that a private agent trusts and the identity that it shows; the rest configures its connections. */
export interface PrivateAgentOptions extends Omit<Agent.Options, "connect"> {
  /** PEM of the only authorities that may certify the other side. */
  readonly authority: string | readonly string[];
  /** Identity to show; without one, no certificate (no mutual TLS). */
  readonly identity?: CurrentIdentity | undefined;
  /** Milliseconds within which a connection must be made. */
  readonly connectMilliseconds: number;
  /** Milliseconds after which a connection is used for no further call; a minute by default. */
  readonly usedForMilliseconds?: number;
}

/**
 * A connection in steady use would never be left: not when the other side's name has moved to another address, nor when its
 * certificate has ended.
 */
const USED_FOR_MILLISECONDS = 60_000;

/** Connections to a service inside the bank. */
export interface PrivateAgent {
  /**
   * Returns the agent for a call that begins now. Its connections show the current identity, although older ones showed
   * another, and are not older than their use may last.
   */
  current(): Agent;
  /** Sends nothing more over the present connections; calls under way on them may end. */
  leaveConnections(): void;
  /** Closes when the calls under way have ended; refuses those that begin later. */
  close(): Promise<void>;
  /** Closes at once; refuses calls that begin later. */
  destroy(): Promise<void>;
}

/** Opens an agent that connects when needed. Throws if the certificate and key cannot be used. */
export function openPrivateAgent({
  authority,
  identity,
  connectMilliseconds: timeout,
  usedForMilliseconds = USED_FOR_MILLISECONDS,
  ...options
}: PrivateAgentOptions): PrivateAgent {
  const ca = typeof authority === "string" ? authority : [...authority];
  const leaving = new Set<Agent>();
  let shown = identity?.();
  let secureContext = makeContext(ca, shown);
  let openedAt = 0;
  let isClosed = false;
  let agent = open();

  function open(): Agent {
    openedAt = performance.now();
    const connect = connectWith({ secureContext, timeout, allowH2: options.allowH2 ?? false });
    return new Agent({ ...options, connect });
  }

  function leaveConnections(): void {
    // A new agent would take calls, and nobody would close it.
    if (isClosed) return;
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
      // A new agent also has no TLS sessions, which would resume without the other side's certificate being verified.
      if (performance.now() - openedAt >= usedForMilliseconds) leaveConnections();
      return agent;
    },
    leaveConnections,
    async close() {
      isClosed = true;
      await Promise.all([agent, ...leaving].map((each) => each.close()));
    },
    async destroy() {
      isClosed = true;
      await Promise.all([agent, ...leaving].map((each) => each.destroy()));
    },
  };
}

interface ConnectorSettings {
  readonly secureContext: SecureContext;
  readonly timeout: number;
  readonly allowH2: boolean;
}

function connectWith(settings: ConnectorSettings): buildConnector.connector {
  // Set explicitly, because otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would apply.
  const connectTo = buildConnector({ ...settings, rejectUnauthorized: true });
  return (to, callback) => {
    const socket: unknown = connectTo(to, callback);
    if (socket instanceof Socket) endAtFirstError(socket);
  };
}

/**
 * Ends a connection with its first error. After a TLS alert Node.js also reports the end of the connection, which the client
 * would take for the reason.
 */
function endAtFirstError(socket: Socket): void {
  socket.on("error", (error) => socket.destroy(error));
}

/** Makes the context once: reading certificates and key takes longer than a call, and idle connections are soon closed. */
function makeContext(ca: string | string[], shown: ClientIdentity | undefined) {
  const own = shown && { cert: shown.certificate, key: shown.key };
  return createSecureContext({ ca, ...own, minVersion: "TLSv1.2" });
}
