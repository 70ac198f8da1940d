const BIND = "B".charCodeAt(0);
const LENGTH_BYTES = 4;

/**
 * Reads what one connection sends to PostgreSQL, and reports the name of each prepared statement that it runs (message Bind:
 * portal, then statement, each ended by NUL). The first message of a connection has no type.
 */
export function createStatementReader(tell: (name: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = 0;

  function takeMessage(): Buffer | undefined {
    if (rest.length < typeBytes + LENGTH_BYTES) return undefined;
    const end = typeBytes + rest.readInt32BE(typeBytes);
    if (rest.length < end) return undefined;
    const message = rest.subarray(0, end);
    rest = rest.subarray(end);
    return message;
  }

  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let message = takeMessage(); message !== undefined; message = takeMessage()) {
      if (typeBytes === 1 && message[0] === BIND) {
        const [, name = ""] = message
          .subarray(1 + LENGTH_BYTES)
          .toString("latin1")
          .split("\0");
        tell(name);
      }
      typeBytes = 1;
    }
  };
}
