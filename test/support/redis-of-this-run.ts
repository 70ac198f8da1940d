import { type RedisServer, startRedis } from "./redis-servers.ts";
import { REDIS_REQUIRED } from "./test-environment.ts";

const DATABASES = 4_000;

let starting: Promise<RedisServer> | undefined;
let given = 0;

/** The variable that puts a new auth on Redis if the run asks for it; each auth has its own database on one server. */
export async function redisOfThisRun(): Promise<Readonly<Record<string, string>>> {
  if (!REDIS_REQUIRED) return {};
  starting ??= startRedis([`databases ${DATABASES}`]);
  const { url } = await starting;
  given += 1;
  return { REDIS_URL: `${url}/${given}` };
}

after(async function closeRedisOfThisRun() {
  this.timeout(60_000);
  await (await starting)?.stop();
});
