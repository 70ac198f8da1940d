/**
 * Several troubles at once, chosen at random: processes, PostgreSQL, Redis and the network between the services break within a
 * moment, each for its own time, and are mended in any order. The verdict names the seed; `COBS_FAULTS_SEED` repeats its
 * choices.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { openRandom, pickOne, pickWhole, type Random } from "../../../packages/sandbox/src/bank/random.ts";
import type { ServiceName } from "../../../packages/sandbox/src/start/service-program.ts";
import { type RedisServer, startRedis } from "../../../test/support/redis-servers.ts";
import type { Member, Topology } from "../../topology/start-topology.ts";
import { type FaultCase, plan } from "../fault-case.ts";
import { letFlow, openTunnelledBank, type TunnelledBank } from "../scene/tunnelled-bank.ts";
import { runTrouble } from "../trouble.ts";

interface Scene extends TunnelledBank {
  readonly redis: RedisServer;
  readonly rounds: number;
}

/** One thing that breaks, and how it is mended. */
interface Fault {
  readonly what: string;
  begin(scene: Scene): unknown;
  mend(scene: Scene): unknown;
}

const ROUNDS = 12;
const SAMPLE_ROUNDS = 1;
const LONGEST_MILLISECONDS = 8_000;
const APART_MILLISECONDS = 1_500;
const NOTHING = () => undefined;

/** One of the two processes of a service stops responding; the proxy avoids it, and its open calls wait. */
const hung = (service: ServiceName): Fault => ({
  what: `${service}-1 hung`,
  begin: ({ bank: { topology } }) => topology.signal(memberOf(topology, service), "SIGSTOP"),
  mend: ({ bank: { topology } }) => topology.signal(memberOf(topology, service), "SIGCONT"),
});

function memberOf({ members }: Topology, service: ServiceName): Member {
  const member = members.find((each) => each.service === service);
  if (member === undefined) throw new TypeError(`there is no ${service}`);
  return member;
}

/** Parts that may break; each has at most one fault at a time. */
const PARTS: readonly (readonly Fault[])[] = [
  [hung("auth"), hung("resource")],
  [
    {
      what: "PostgreSQL stopped",
      begin: ({ bank }) => bank.pair.primary.stop("fast"),
      mend: ({ bank }) => bank.pair.primary.start(),
    },
    {
      what: "PostgreSQL crashed",
      begin: ({ bank }) => bank.pair.primary.stop("immediate"),
      mend: ({ bank }) => bank.pair.primary.start(),
    },
    {
      what: "PostgreSQL hung",
      begin: ({ bank }) => bank.pair.primary.hang(),
      mend: ({ bank }) => bank.pair.primary.resume(),
    },
    {
      what: "standby lost",
      begin: ({ bank }) => bank.pair.standby.stop("fast"),
      mend: ({ bank }) => bank.pair.standby.start(),
    },
  ],
  [
    { what: "Redis stopped", begin: ({ redis }) => redis.kill(), mend: ({ redis }) => redis.start() },
    { what: "Redis hung", begin: ({ redis }) => redis.pause(), mend: ({ redis }) => redis.resume() },
    { what: "Redis emptied", begin: ({ redis }) => redis.client.flushall(), mend: NOTHING },
  ],
  [
    {
      what: "services cut off",
      begin: ({ toAuth, toResource }) => Promise.all([toAuth.cut(), toResource.cut()]),
      mend: ({ toAuth, toResource }) => Promise.all([toAuth.mend(), toResource.mend()]),
    },
    {
      what: "auth not heard",
      begin: ({ toAuth }) => toAuth.stall(),
      mend: ({ toAuth }) => letFlow(toAuth),
    },
    {
      what: "resource not heard",
      begin: ({ toResource }) => toResource.stall(),
      mend: ({ toResource }) => letFlow(toResource),
    },
  ],
];

/** Chooses at least two of the parts, with one fault of each. */
function chooseFaults(random: Random): readonly Fault[] {
  const spared = pickWhole(random, 0, PARTS.length);
  return PARTS.filter((_, part) => part !== spared).flatMap((faults) => pickOne(random, faults) ?? []);
}

async function runRound(scene: Scene, random: Random) {
  const faults = chooseFaults(random).map((fault) => ({
    ...fault,
    after: pickWhole(random, 0, APART_MILLISECONDS),
    until: APART_MILLISECONDS + pickWhole(random, 0, LONGEST_MILLISECONDS),
  }));
  // If a fault cannot be begun or mended, `mend` reports it, because it waits for all faults.
  let mended: Promise<unknown> = Promise.resolve();
  const verdict = await runTrouble(
    {
      begin: async () => {
        mended = Promise.allSettled(
          faults.map(async ({ begin, mend, after, until }) => {
            await delay(after);
            await begin(scene);
            await delay(until - after);
            await mend(scene);
          }),
        ).then((outcomes) => {
          const failed = outcomes.find(({ status }) => status === "rejected");
          if (failed?.status === "rejected") throw failed.reason;
        });
        mended.catch(NOTHING);
      },
      milliseconds: 0,
      mend: async () => void (await mended),
    },
    scene,
  );
  const begun = faults.map(
    ({ what, after, until }) => `${what} for ${((until - after) / 1_000).toFixed(1)} s`,
  );
  const { breaches, unanswered, wholeAfter } = verdict;
  const broken = breaches.map((breach) => `, BROKEN: ${breach}`).join("");
  const lost = unanswered === 0 ? "" : `, ${unanswered} without an answer, which reached no process`;
  return { ...verdict, line: `${begun.join(" and ")}: whole after ${wholeAfter}${lost}${broken}` };
}

const AT_ONCE: FaultCase<Scene> = {
  name: "several/at-once",
  run: async (scene) => {
    const seed = process.env.COBS_FAULTS_SEED ?? randomUUID();
    const random = openRandom(seed);
    const lines: string[] = [];
    let held = true;
    for (let round = 0; round < scene.rounds; round += 1) {
      const verdict = await runRound(scene, random);
      lines.push(verdict.line);
      held &&= verdict.held;
    }
    return { held, detail: [`seed ${seed}`, ...lines].join("; ") };
  },
};

export const SEVERAL = plan<Scene>({
  open: async (parts) => {
    const redis = await startRedis();
    const tunnelled = await openTunnelledBank(parts, { redis: redis.url }).catch(async (error: unknown) => {
      await redis.stop();
      throw error;
    });
    const close = async () => {
      await tunnelled.close();
      await redis.stop();
    };
    return { ...tunnelled, close, redis, rounds: parts.quick ? SAMPLE_ROUNDS : ROUNDS };
  },
  close: (scene) => scene.close(),
  cases: [AT_ONCE],
});
