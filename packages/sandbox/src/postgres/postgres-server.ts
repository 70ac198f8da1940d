/** How a server ended; `stopped` if we had asked for it. */
export interface PostgresEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stopped: boolean;
}

/** A PostgreSQL server that accepts connections on loopback. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly majorVersion: number;
  readonly pid: number;
  /** False if another living process started the server and we only attached to it. */
  readonly owned: boolean;
  /** The superuser's connection URL, password included: not for logs. */
  superuserUrl(database?: string): string;
  /** Stops the server, within about 15 s at worst, and resolves when it is gone; does nothing if it is not owned. */
  stop(): Promise<void>;
  /** Lets our process end by itself while the server still runs; the server then ends too. */
  unref(): void;
  /** Resolves when the server has ended, for any reason; never rejects. */
  readonly ended: Promise<PostgresEnd>;
}

/** A connection URL; every part may contain any character. */
export function connectionUrl(
  port: number,
  part: { role: string; password: string; database: string },
): string {
  const [role, password, database] = [part.role, part.password, part.database].map(encodeURIComponent);
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}
