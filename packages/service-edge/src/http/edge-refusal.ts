/**
 * Refusals that a listener makes before any handler runs:
 * - `route_unknown`: no route of this listener has the path
 * - `method_not_allowed`: the path exists with other methods, which `allow` lists
 * - `host_unknown`: the Host header names another host than this listener serves (RFC 9110 section 7.4)
 * - `host_malformed`: no Host header, two, or one that names no host (RFC 9112 section 3.2)
 * - `body_too_large`: more bytes than the listener's limit
 * - `media_type_unsupported`: not the media type of the route, a charset other than UTF-8, or an unknown coding
 * - `not_acceptable`: the Accept header excludes what the route gives
 * - `body_malformed`: not the JSON (RFC 8259) or form that the media type promises
 * - `header_repeated`: a header that must be single came twice
 * - `path_malformed`: percent-encoding that does not decode
 */
export type EdgeRefusalCode =
  | "route_unknown"
  | "method_not_allowed"
  | "host_unknown"
  | "host_malformed"
  | "body_too_large"
  | "media_type_unsupported"
  | "not_acceptable"
  | "body_malformed"
  | "header_repeated"
  | "path_malformed";

/** A refusal at the rim; `message` is safe to show to the caller, `path` names the element at fault. */
export class EdgeRefusal extends Error {
  readonly code: EdgeRefusalCode;
  readonly path: string | undefined;
  readonly allow: readonly string[];

  constructor(
    code: EdgeRefusalCode,
    message: string,
    at: { readonly path?: string; readonly allow?: readonly string[] } = {},
  ) {
    super(message);
    this.name = "EdgeRefusal";
    this.code = code;
    this.path = at.path;
    this.allow = at.allow ?? [];
  }
}
