import { isIP, type LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector } from "undici";
import { ENDS_AT_UNNAMED_CURVES } from "../tls/unnamed-curves.ts";
import { OutsideFetchError } from "./outside-fetch-error.ts";
import type { ResolveName } from "./resolve-name.ts";

/** The addresses to which connections may go, and how names are resolved. */
export interface AddressGuard {
  readonly admits: (address: string) => boolean;
  readonly resolve: ResolveName;
}

const CONNECTIONS_PER_HOST = 8;
const CONNECT_LIMIT_MILLISECONDS = 5_000;
const PIECE_OCTETS = 2_048;

/**
 * Creates an agent that checks the address of every connection when it is made. An earlier check would not help, because a
 * name may resolve to another address a moment later (DNS rebinding). https peers are verified with the given authorities,
 * otherwise with those that Node trusts.
 */
export function createGuardedAgent(guard: AddressGuard, authorities?: readonly string[]): Agent {
  const connectTo = buildConnector({
    lookup: guardedLookup(guard),
    timeout: CONNECT_LIMIT_MILLISECONDS,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(authorities && { ca: [...authorities] }),
  });
  const connect: buildConnector.connector = (options, callback) => {
    // A host that is already an IP address is connected to without a lookup.
    if (isIP(options.hostname) === 0 || guard.admits(options.hostname)) {
      const socket: unknown = connectTo(options, callback);
      if (ENDS_AT_UNNAMED_CURVES && socket instanceof TLSSocket) describeByNamesAlone(socket);
      if (socket instanceof Socket) readInPieces(socket);
      return;
    }
    queueMicrotask(() => callback(addressRefused(options.hostname, options.hostname), null));
  };
  return new Agent({ connect, connections: CONNECTIONS_PER_HOST });
}

/**
 * Lets Node.js read only the names of a trusted certificate when it compares them with the host, instead of describing all of
 * it.
 */
function describeByNamesAlone(socket: TLSSocket): void {
  const names = () => ({ subject: {}, subjectaltname: socket.getPeerX509Certificate()?.subjectAltName });
  Object.defineProperty(socket, "getPeerCertificate", { value: names });
}

/**
 * Reads a socket in pieces. The client ends a connection whose header is too large, but first reads all that has arrived and
 * makes an error of each field. A hundred kilobytes of short fields would block this process for a second.
 */
function readInPieces(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (octets) => {
    if (socket.destroyed) return null;
    return read(octets ?? (Math.min(socket.readableLength, PIECE_OCTETS) || undefined));
  };
}

/** Resolves a name for a connection. One address that is not admitted refuses the whole name: an honest host has none. */
function guardedLookup({ admits, resolve }: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: Awaited<ReturnType<ResolveName>>) => {
      const refused = addresses.find(({ address }) => !admits(address));
      if (refused !== undefined) return callback(addressRefused(hostname, refused.address), "");
      const [first] = addresses;
      if (first === undefined) return callback(new OutsideFetchError(`${hostname} has no address`), "");
      return options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family);
    };
    resolve(hostname).then(answer, (error) => callback(error, ""));
  };
}

function addressRefused(hostname: string, address: string): OutsideFetchError {
  return new OutsideFetchError(`${hostname} leads to ${address}, which is not a public address`);
}
