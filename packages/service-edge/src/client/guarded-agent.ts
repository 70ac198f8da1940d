import { isIP, type LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector } from "undici";
import { ENDS_AT_UNNAMED_CURVES } from "../tls/unnamed-curves.ts";
import { OutsideFetchError } from "./outside-fetch-error.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Where connections may go to. */
export interface AddressGuard {
  readonly admits: (address: string) => boolean;
  readonly resolve: ResolveName;
}

const CONNECTIONS_PER_HOST = 8;
const CONNECT_LIMIT_MILLISECONDS = 5_000;
const PIECE_OCTETS = 2_048;

/**
 * An agent that looks at the address of every connection at the moment it is made: a name that meant another address a
 * moment ago is of no use (DNS rebinding). https peers are verified with the authorities that are given, or those that
 * Node trusts.
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
    // A host that is an address already is connected to without a lookup.
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

/** Node.js compares the host with the names of a certificate that it has believed, and describes all that came with it for that. */
function describeByNamesAlone(socket: TLSSocket): void {
  const names = () => ({ subject: {}, subjectaltname: socket.getPeerX509Certificate()?.subjectAltName });
  Object.defineProperty(socket, "getPeerCertificate", { value: names });
}

/**
 * The client ends a connection whose header is too large, but reads on to the end of what has come, and makes an error of each
 * field: a hundred kilobytes of short ones would keep this process from everybody else for a second.
 */
function readInPieces(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (octets) => {
    if (socket.destroyed) return null;
    return read(octets ?? (Math.min(socket.readableLength, PIECE_OCTETS) || undefined));
  };
}

/** One address that is not admitted refuses the name: an honest host has no such one. */
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
  return new OutsideFetchError(`${hostname} leads to ${address}, which is no public address`);
}
