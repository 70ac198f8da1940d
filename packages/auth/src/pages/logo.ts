import type { BankLogo } from "../theme/bank-logo.ts";
import { type Asset, makeAsset } from "./asset.ts";

/** Opened by itself an SVG is a document: it runs no script there, has no origin, and loads nothing. Its own style is seen. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** The logo as a file for the browser. */
export function logoAsset({ kind, bytes }: BankLogo): Asset {
  return { ...makeAsset("logo", kind, bytes), contentSecurityPolicy: POLICY };
}
