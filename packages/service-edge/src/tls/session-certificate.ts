/** Tag of the member of a DER-encoded SSL_SESSION (OpenSSL) that holds the peer's certificate. */
const PEER = 0xa3;
const SEQUENCE = 0x30;

interface Element {
  readonly tag: number;
  /** Start and end of its contents. */
  readonly from: number;
  readonly until: number;
}

/**
 * Extracts the peer's certificate from a TLS session, DER; undefined if the session holds none, or has an unknown encoding.
 * The session also holds the secrets of its connection and is no longer needed, so it is wiped.
 */
export function takeCertificate(session: Buffer): Buffer | undefined {
  const peer = findPeer(session);
  const certificate = peer && Buffer.from(session.subarray(peer.from, peer.until));
  session.fill(0);
  return certificate?.[0] === SEQUENCE ? certificate : undefined;
}

function findPeer(session: Buffer): Element | undefined {
  const whole = readElement(session, 0);
  if (whole?.tag !== SEQUENCE || whole.until !== session.length) return undefined;
  let member = readElement(session, whole.from);
  while (member !== undefined && member.tag !== PEER) member = readElement(session, member.until);
  return member;
}

/** Reads one element; undefined if there is none, or it extends beyond the end. */
function readElement(bytes: Buffer, at: number): Element | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined) return undefined;
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const from = at + 2 + octets;
  if (octets > 3 || from > bytes.length) return undefined;
  const length = octets === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, octets);
  return from + length <= bytes.length ? { tag, from, until: from + length } : undefined;
}
