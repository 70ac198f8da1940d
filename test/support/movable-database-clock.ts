import { openDatabase, Secret } from "@cobs/service-edge";
import { readableLog } from "./readable-log.ts";
import { createTestDatabase, PATIENT } from "./test-databases.ts";

/** A database whose clock a test moves, for all its connections and even while statements run. */
export interface DatabaseWithMovableClock {
  readonly url: string;
  /** Moves the clock forward, or back with a negative number. */
  advance(milliseconds: number): Promise<void>;
  advanceDays(days: number): Promise<void>;
  /** Sets the clock to `time`, from which it goes on. */
  setTo(time: Date): Promise<void>;
}

/**
 * Creates an empty database with our own `now()`, a function that PostgreSQL finds before its own. It moves the time with which
 * SQL compares and that it stores; the server underneath keeps its own.
 */
export async function createDatabaseWithMovableClock(): Promise<DatabaseWithMovableClock> {
  const url = await createTestDatabase();
  const change = async (text: string) => {
    const { log } = readableLog();
    const database = openDatabase({
      url: new Secret(url),
      maxConnections: 1,
      applicationName: "test clock",
      log,
      timeLimits: PATIENT,
    });
    await database.pool.query(text).finally(() => database.close());
  };
  await change(`CREATE TABLE public.moved_clock (ahead interval NOT NULL);
    INSERT INTO public.moved_clock VALUES (interval '0');
    CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.now() + ahead FROM public.moved_clock';
    ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET search_path = public, pg_catalog`);
  const advanceBy = (interval: string) =>
    change(`UPDATE public.moved_clock SET ahead = ahead + interval '${interval}'`);
  return {
    url,
    advance: (milliseconds) => advanceBy(`${milliseconds} milliseconds`),
    advanceDays: (days) => advanceBy(`${days} days`),
    // In seconds: PostgreSQL's days have 23 or 25 hours where clocks change.
    setTo: (time) =>
      change(`UPDATE public.moved_clock
        SET ahead = extract(epoch FROM timestamptz '${time.toISOString()}' - pg_catalog.now()) * interval '1 second'`),
  };
}
