import { connect } from "node:tls";
import {
  AbstractConnector,
  type CommonRedisOptions,
  type SentinelConnectionOptions,
  SentinelConnector,
  type StandaloneConnectionOptions,
} from "ioredis";

type ConnectorOptions = StandaloneConnectionOptions & SentinelConnectionOptions;

const DISCONNECT_MILLISECONDS = 2_000;
/** Private to the library, which has no option for how its connections to Sentinels are opened. */
const TO_SENTINEL = "connectToSentinel";

/**
 * Opens a connection to a Redis server over TLS. The library's own connector listens for one error of each. A connection given
 * up in its handshake with a refused server has two, that of the certificate and that of the server's closing alert; the
 * second would end the process.
 */
class ServerConnector extends AbstractConnector {
  private readonly options: ConnectorOptions;

  constructor(options: unknown) {
    super(DISCONNECT_MILLISECONDS);
    this.options = requireOptions(options);
  }

  /**
   * Rejects if the connection is given up before it is begun. The library adds its listeners in the turn in which it gets the
   * stream.
   */
  override async connect() {
    this.connecting = true;
    await Promise.resolve();
    if (!this.connecting) throw new Error("Connection is closed.");
    const { host = "localhost", port = 0, tls } = this.options;
    this.stream = connect({ host, port, ...tls });
    this.stream.on("error", (error) => {
      this.firstError ??= error;
    });
    return this.stream;
  }
}

/** Opens connections to the Sentinels themselves, and to the primary that they name. */
class PrimaryConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(requireOptions(options));
    const toSentinel = this[TO_SENTINEL].bind(this);
    this[TO_SENTINEL] = (endpoint: unknown, more: object = {}) =>
      toSentinel(endpoint, { ...more, Connector: ServerConnector });
  }

  override async connect(tell: Parameters<SentinelConnector["connect"]>[0]) {
    const stream = await super.connect(tell);
    return stream.on("error", () => undefined);
  }
}

function requireOptions(options: unknown): ConnectorOptions {
  if (!areOptions(options)) throw new TypeError("a connector is made with options");
  return options;
}

/** The library gives a connector all its own options, without their type. */
const areOptions = (options: unknown): options is ConnectorOptions => typeof options === "object";

/** Option of the library for connections over TLS, to servers that are named or that Sentinels name. */
export const overTls = (by: "name" | "sentinels"): Pick<CommonRedisOptions, "Connector"> => ({
  Connector: by === "name" ? ServerConnector : PrimaryConnector,
});
