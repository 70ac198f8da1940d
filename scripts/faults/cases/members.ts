/**
 * Faults of the services' processes behind their proxy: restarted one after the other, killed, replaced by those of the
 * previous release and back, and held by thousands of connections. Callers call all the time, and every answer counts.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { holdConnections } from "../../topology/load/hold-connections.ts";
import { presentLosses } from "../../topology/load/lost-calls.ts";
import type { SteadyLoad } from "../../topology/load/steady-load.ts";
import { nameOf, restartAll } from "../../topology/rolling-restart.ts";
import { type Member, startTopology } from "../../topology/start-topology.ts";
import { type FaultCase, plan } from "../fault-case.ts";
import {
  BREACH,
  breachesOf,
  describeRestarts,
  endedOf,
  PAUSE_MILLISECONDS,
  type Scene,
  underLoad,
} from "../load/under-load.ts";
import { installReleaseBefore, RELEASE_BEFORE } from "../scene/release-before.ts";

/** Size of a full run, and of a sample. */
const FULL = { rounds: 3, calls: 10_000, idle: 5_000, slow: 500 };
const SAMPLE = { rounds: 1, calls: 300, idle: 300, slow: 60 };
const SETTLING_MILLISECONDS = 3_000;
/** Share of slow connections that must still be open; the server has cut the others for exceeding a time limit. */
const STILL_SLOW = 0.5;
const THIS_RELEASE = "this release";

const sizeOf = ({ quick }: Scene) => (quick ? SAMPLE : FULL);

const ROLLING_RESTART: FaultCase<Scene> = {
  name: "members/rolling-restart",
  quick: true,
  run: (scene) =>
    underLoad(scene, async ({ records }) => {
      const { rounds, calls } = sizeOf(scene);
      const restarted = [];
      for (let round = 0; round < rounds || records.done < calls; round += 1)
        restarted.push(
          ...(await restartAll(scene.topology, { rounds: 1, pauseMilliseconds: PAUSE_MILLISECONDS })),
        );
      return [
        ...describeRestarts(restarted),
        ...breachesOf(records.failed, endedOf(THIS_RELEASE, restarted)),
      ];
    }),
};

async function killOne({ topology }: Scene, load: SteadyLoad, member: Member): Promise<readonly string[]> {
  const failedBefore = load.records.failed.length;
  const open = load.records.open().length;
  topology.signal(member, "SIGKILL");
  await topology.ended(member);
  const goneAt = performance.now();
  await delay(SETTLING_MILLISECONDS);
  await topology.start(member);
  await delay(PAUSE_MILLISECONDS);
  const failed = load.records.failed.slice(failedBefore);
  const later = failed.filter(({ startedAt }) => startedAt > goneAt);
  return [
    `${nameOf(member)}: ${open} open at the signal, ${failed.length - later.length} failed that began before its end`,
    ...later.map(
      ({ kind, answer, startedAt }) =>
        `${BREACH}a ${kind} that began ${(startedAt - goneAt).toFixed(1)} ms after the end failed with ${answer}`,
    ),
  ];
}

const KILL: FaultCase<Scene> = {
  name: "members/kill-9",
  quick: true,
  run: (scene) =>
    underLoad(scene, async (load) => {
      const said: string[] = [];
      const members = scene.quick ? scene.topology.members.slice(1, 3) : scene.topology.members;
      for (const member of members) said.push(...(await killOne(scene, load, member)));
      return load.records.done === 0 ? [...said, `${BREACH}nobody was served`] : said;
    }),
};

const CONNECTIONS: FaultCase<Scene> = {
  name: "members/connections",
  quick: true,
  run: (scene) =>
    underLoad(scene, async ({ records }) => {
      const { idle, slow } = sizeOf(scene);
      const held = await holdConnections(scene.topology, { idle, slow });
      await delay(SETTLING_MILLISECONDS);
      const { idle: stillIdle, slow: stillSlow } = held.open();
      const since = records.done;
      await delay(scene.quick ? SETTLING_MILLISECONDS : 4 * SETTLING_MILLISECONDS);
      const served = records.done - since;
      await held.close();
      return [
        `${stillIdle} idle and ${stillSlow} slow connections were open while ${served} calls were answered`,
        ...(stillSlow < slow * STILL_SLOW
          ? [`${BREACH}only ${stillSlow} of ${slow} slow ones were there`]
          : []),
        ...(stillIdle < idle ? [`${BREACH}${idle - stillIdle} idle connections were not kept`] : []),
        ...(served === 0 ? [`${BREACH}nobody was served`] : []),
        ...breachesOf(records.failed),
      ];
    }),
};

/** The first new process of each service changes the schema under old processes, which do not know it and are being called. */
const RELEASE: FaultCase<Scene> = {
  name: "members/release-before",
  run: async (scene) => {
    const { root, newer } = await installReleaseBefore(scene.topology, join(scene.directory, "release"));
    return underLoad(scene, async ({ records }) => {
      const once = { rounds: 1, pauseMilliseconds: PAUSE_MILLISECONDS };
      const forth = await restartAll(scene.topology, once);
      const back = await restartAll(scene.topology, { ...once, root });
      const again = await restartAll(scene.topology, once);
      const ended = [...endedOf(RELEASE_BEFORE, [...forth, ...again]), ...endedOf(THIS_RELEASE, back)];
      return [
        `upgraded from ${RELEASE_BEFORE}, with ${newer.length} migrations under its processes, rolled back to it and forth again`,
        presentLosses(records.failed, ended),
        ...(newer.length === 0 ? [`${BREACH}both releases have the same schema`] : []),
        ...describeRestarts([...forth, ...back, ...again]),
        ...breachesOf(records.failed, ended),
      ];
    });
  },
};

export const MEMBERS = plan<Scene>({
  open: async ({ quick, say }) => {
    const directory = makeTemporaryFolder("cobs-members-");
    const topology = await startTopology({ directory: join(directory, "bank"), say });
    return { topology, directory, quick };
  },
  close: async ({ topology, directory }) => {
    await topology.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  },
  cases: [ROLLING_RESTART, KILL, CONNECTIONS, RELEASE],
});
