import { openDatabase, Secret } from "@cobs/service-edge";
import { readableLog } from "./readable-log.ts";
import { createTestDatabase } from "./test-databases.ts";

/** A database whose own clock a test moves, for every connection to it and while statements run. */
export interface DatabaseWithMovableClock {
  readonly url: string;
  /** Forward, or back with a negative number. */
  advance(milliseconds: number): Promise<void>;
  advanceDays(days: number): Promise<void>;
  /** From this moment on it goes on from `time`. */
  setTo(time: Date): Promise<void>;
}

/**
 * Creates an empty database in which `now()` is ours: a function of that name that PostgreSQL finds before its own. What is
 * compared with the time in SQL, and what is stored as it, is moved; the server underneath keeps its time.
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
    // In seconds: what PostgreSQL has as days is 23 or 25 hours where clocks change.
    setTo: (time) =>
      change(`UPDATE public.moved_clock
        SET ahead = extract(epoch FROM timestamptz '${time.toISOString()}' - pg_catalog.now()) * interval '1 second'`),
  };
}
