/** The URL where the TPP command line waits for the browser. */
export function callbackUrl(port: number): string {
  return `https://localhost:${port}/callback`;
}
