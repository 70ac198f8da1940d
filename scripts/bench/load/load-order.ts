/** A certificate with its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Where callers call, and with which certificate. */
export interface Target {
  readonly origin: string;
  /** PEM of the authority that certifies the server. */
  readonly authority: string;
  readonly identity: KeyPair;
}

/** The same request repeatedly, on connections that stay open. */
export interface RequestOrder {
  readonly kind: "requests";
  readonly target: Target;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In place of {@link NUMBER}, each call has its own number. */
  readonly body: string | null;
  /** Bodies that are sent in turn instead of `body`. */
  readonly bodies?: readonly string[];
  readonly status: number;
}

/** Placeholder in a body for a number that no other call has. */
export const NUMBER = "{number}";

/** Authorizations by PSUs, from the first request to the tokens. */
export interface FlowOrder {
  readonly kind: "flows";
  readonly target: Target;
  /** Authorization endpoint to which PSUs go, with the query of the authorization request. */
  readonly authorizeUrl: string;
  readonly redirectUri: string;
  readonly tokenPath: string;
  readonly client: Readonly<Record<"client_id" | "client_secret", string>>;
  readonly psus: BenchPsus;
}

/** PSUs by number, all with the same password and the same authenticator secret. */
export interface BenchPsus {
  readonly prefix: string;
  readonly count: number;
  readonly password: string;
  readonly totpSecret: string;
}

/** Order to the callers' process: how long to call, how often at most, and how many calls at once. */
export interface Load {
  readonly order: RequestOrder | FlowOrder;
  readonly milliseconds: number;
  /** Number of calls at most; null for as many as time allows. */
  readonly most: number | null;
  readonly atOnce: number;
}

/** How many calls were answered, and the last answer. */
export interface Loaded {
  readonly done: number;
  readonly lastBody: string;
}
