interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** The cookies of one host, as a browser keeps them (RFC 6265): by name and path, sent where the path matches. */
export interface CookieJar {
  keep(url: URL, setCookies: readonly string[]): void;
  /** The value of a `Cookie` header; empty when there is nothing to send. */
  present(url: URL): string;
}

/** Creates an empty jar. It serves one host and https only, and so needs no domains. */
export function createCookieJar(now: () => number): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    keep: (url, setCookies) => {
      for (const line of setCookies) {
        const [pair = "", ...attributes] = line.split(";");
        const [name = "", ...value] = pair.trim().split("=");
        const path = attribute(attributes, "path") ?? defaultPath(url);
        if (isOver(attributes, now())) cookies.delete(`${name};${path}`);
        else cookies.set(`${name};${path}`, { value: `${name}=${value.join("=")}`, path });
      }
    },
    present: (url) =>
      [...cookies.values()]
        .filter(({ path }) => matches(url.pathname, path))
        .map(({ value }) => value)
        .join("; "),
  };
}

function attribute(attributes: readonly string[], name: string): string | undefined {
  const found = attributes
    .map((each) => each.trim())
    .find((each) => each.toLowerCase().startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function isOver(attributes: readonly string[], now: number): boolean {
  const maxAge = attribute(attributes, "max-age");
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attribute(attributes, "expires");
  return expires !== undefined && Date.parse(expires) <= now;
}

/** RFC 6265 5.1.4. */
function defaultPath(url: URL): string {
  return url.pathname.slice(0, Math.max(url.pathname.lastIndexOf("/"), 1));
}

function matches(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
