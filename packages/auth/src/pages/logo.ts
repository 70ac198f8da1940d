import type { BankLogo } from "../theme/bank-logo.ts";
import { type Asset, makeAsset } from "./asset.ts";

/**
 * An SVG that is opened by itself is a document. This lets it run no script, have no origin and load nothing, but keep its own
 * style.
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Makes the logo a file for the browser. */
export function logoAsset({ kind, bytes }: BankLogo): Asset {
  return { ...makeAsset("logo", kind, bytes), contentSecurityPolicy: POLICY };
}
