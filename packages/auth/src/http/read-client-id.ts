import { EdgeRefusal } from "@cobs/service-edge";

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
 * The one client id that a request to the token or revocation endpoint names, in its body, in Basic or in both (RFC
 * 6749 2.3.1); nothing is authenticated yet. Refuses none and several with `body_malformed`: whoever is checked here
 * has to be whom the provider authenticates.
 */
export function readClientId(form: URLSearchParams, authorization: string | undefined): string {
  const credentials = BASIC.exec(authorization ?? "")?.[1];
  const inHeader = credentials === undefined ? undefined : decodeUserId(credentials);
  const named = new Set([...form.getAll("client_id"), ...(inHeader === undefined ? [] : [inHeader])]);
  const [id, ...others] = named;
  if (id === undefined || others.length > 0) {
    throw new EdgeRefusal("body_malformed", "the request must name exactly one client", {
      path: "client_id",
    });
  }
  return id;
}
