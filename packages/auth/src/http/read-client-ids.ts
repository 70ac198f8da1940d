const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

function decodeUserId(credentials: string): string | undefined {
  const [userId] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  try {
    // RFC 6749 2.3.1: form-encoded inside Basic.
    return decodeURIComponent((userId ?? "").replaceAll("+", "%20"));
  } catch {
    return undefined;
  }
}

/**
 * The client ids that a request to the token or revocation endpoint names, in its body and in Basic (RFC 6749 2.3.1),
 * each once. None or several is for the provider to refuse as malformed; nothing is authenticated yet.
 */
export function readClientIds(form: Buffer, authorization: string | undefined): readonly string[] {
  const inBody = new URLSearchParams(form.toString("utf8")).getAll("client_id");
  const credentials = BASIC.exec(authorization ?? "")?.[1];
  const inHeader = credentials === undefined ? undefined : decodeUserId(credentials);
  return [...new Set([...inBody, ...(inHeader === undefined ? [] : [inHeader])])];
}
