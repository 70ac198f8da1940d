const KEY = /^[A-Za-z0-9_-]{43,}$/;

/** Reads the keys that cookies are signed with, at least one; throws an Error that quotes none of them. */
export function parseCookieKeys(text: string): readonly string[] {
  const keys = parseList(text).filter((key): key is string => typeof key === "string" && KEY.test(key));
  if (keys.length === 0 || keys.length !== parseList(text).length) {
    throw new Error("is not a JSON array of strings, each at least 32 bytes in base64url");
  }
  return keys;
}

function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
