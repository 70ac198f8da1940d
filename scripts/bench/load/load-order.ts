/** A certificate with its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Where callers call, and as whom. */
export interface Target {
  readonly origin: string;
  /** Under which the server is certified, PEM. */
  readonly authority: string;
  readonly identity: KeyPair;
}

/** The same request again and again, on connections that stay open. */
export interface RequestOrder {
  readonly kind: "requests";
  readonly target: Target;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where it says {@link NUMBER}, each call has a number of its own. */
  readonly body: string | null;
  /** Bodies that are sent in turn instead. */
  readonly bodies?: readonly string[];
  readonly status: number;
}

/** Stands in a body for a number that no other call has. */
export const NUMBER = "{number}";

/** Authorizations by PSUs, from the first request to the tokens. */
export interface FlowOrder {
  readonly kind: "flows";
  readonly target: Target;
  /** Where PSUs go, with the query of the authorization request. */
  readonly authorizeUrl: string;
  readonly redirectUri: string;
  readonly tokenPath: string;
  readonly client: Readonly<Record<"client_id" | "client_secret", string>>;
  readonly psus: BenchPsus;
}

/** PSUs by number, each with the same password and the same secret of its authenticator. */
export interface BenchPsus {
  readonly prefix: string;
  readonly count: number;
  readonly password: string;
  readonly totpSecret: string;
}

/** What the process of the callers is told: to call for so long, so often at most, so many at once. */
export interface Load {
  readonly order: RequestOrder | FlowOrder;
  readonly milliseconds: number;
  /** Null is as often as there is time for. */
  readonly most: number | null;
  readonly atOnce: number;
}

/** How many were answered, and what the last one was answered with. */
export interface Loaded {
  readonly done: number;
  readonly lastBody: string;
}
