/**
 * A process that holds connections: it receives their number, reports every second how many are open, and ends with its parent.
 */
import { readFileSync } from "node:fs";
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from "node:tls";
import type { Held, HoldOrder } from "./hold-connections.ts";

const AT_ONCE = 20;
const OCTET_MILLISECONDS = 1_000;
const HEAD =
  "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n";

const REQUEST = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
const OCTETS = "a".repeat(4_000);
const UNREAD_ANSWERS = 50;
/** Shorter than the services and HAProxy keep idle connections. */
const STAYING_MILLISECONDS = 45_000;
const AGAIN_MILLISECONDS = 200;

const open = { idle: new Set<TLSSocket>(), slow: new Set<TLSSocket>() };

type Place = Pick<HoldOrder, "port"> & { readonly tls: ConnectionOptions };

/** Opens a connection, and reopens it whenever the server ends it; resolves when it is open for the first time. */
function keepOne(place: Place, kind: keyof Held, use: (socket: TLSSocket) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ ...place.tls, port: place.port, host: "127.0.0.1", servername: "localhost" });
    let leave = () => {};
    socket.on("error", () => undefined);
    socket.once("secureConnect", () => {
      open[kind].add(socket);
      leave = use(socket);
      resolve();
    });
    socket.once("close", () => {
      leave();
      open[kind].delete(socket);
      if (process.connected)
        setTimeout(() => void keepOne(place, kind, use).then(resolve), AGAIN_MILLISECONDS);
    });
  });
}

/** Calls, then stays idle, and calls again shortly before the server would end the connection. */
function stay(socket: TLSSocket): () => void {
  socket.resume();
  socket.write(REQUEST);
  const timer = setInterval(() => socket.write(REQUEST), STAYING_MILLISECONDS);
  return () => clearInterval(timer);
}

/** Sends an endless header or an endless body, or requests whose answers it does not read, depending on the index. */
function dawdle(index: number): (socket: TLSSocket) => () => void {
  const text = [`${HEAD}X-Long: ${OCTETS}`, `${HEAD}Content-Length: 4000\r\n\r\n${OCTETS}`][index % 3];
  return (socket) => {
    if (text === undefined) {
      socket.pause();
      socket.write(REQUEST.repeat(UNREAD_ANSWERS));
      return () => {};
    }
    socket.resume();
    let sent = HEAD.length + 30;
    socket.write(text.slice(0, sent));
    const timer = setInterval(() => socket.write(text.slice(sent, ++sent)), OCTET_MILLISECONDS);
    return () => clearInterval(timer);
  };
}

async function inTurn(count: number, begin: (index: number) => Promise<void>): Promise<void> {
  for (let begun = 0; begun < count; begun += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - begun) }, (_, index) => begin(begun + index)),
    );
}

async function hold({ idle, slow, port, ca, identity }: HoldOrder): Promise<void> {
  const own = identity === undefined ? {} : { cert: readFileSync(identity), key: readFileSync(identity) };
  // One context for all connections: each would read the files again.
  const place = { port, tls: { secureContext: createSecureContext({ ca: readFileSync(ca), ...own }) } };
  await inTurn(idle, () => keepOne(place, "idle", stay));
  await inTurn(slow, (index) => keepOne(place, "slow", dawdle(index)));
  const tell = (complete: boolean) =>
    process.connected && process.send?.({ idle: open.idle.size, slow: open.slow.size, complete });
  tell(true);
  setInterval(tell, 1_000, false);
}

process.once("message", (order: HoldOrder) => void hold(order));
process.once("disconnect", () => process.exit(0));
