const PATH = /^\.{0,2}\/\S+$/;
/** Base64 may begin with a slash too. It nearly always has some of these characters, which such long paths rarely have alone. */
const LIKE_BASE64 = /^(?=.*[A-Z+=])[A-Za-z0-9+/]{16,}={0,2}$/;

/**
 * Whether a text where a file should be named is a path beyond doubt. Any other may be the secret itself, which must not be
 * repeated in the log.
 */
export function isPathBeyondDoubt(text: string): boolean {
  return PATH.test(text) && !LIKE_BASE64.test(text);
}
