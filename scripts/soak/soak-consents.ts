/**
 * One resource server under the load of very many consents: how much memory it holds, and how often its caches answer, over
 * time. This process plays auth and the callers; the server is a process of its own, on a real database.
 */
import { consentsOf, pathsOf, type SoakConsent } from "./soak-consent.ts";
import { presentSample, type SoakSample } from "./soak-sample.ts";
import { openSoakScene, type SoakScene } from "./soak-scene.ts";
import type { SoakSize } from "./soak-size.ts";

/** Result of a soak. */
export interface SoakRun {
  /** The first sample is from when every consent has been used, and the caches are full of them. */
  readonly samples: readonly SoakSample[];
  /** Number of calls by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Runs a soak, and reports each sample as soon as it is taken. */
export async function soakConsents(size: SoakSize, tell: (line: string) => void): Promise<SoakRun> {
  const scene = await openSoakScene(size);
  try {
    return { samples: await loadAndSample(scene, size, tell), statuses: scene.statuses };
  } finally {
    await scene.close();
  }
}

async function loadAndSample(
  scene: SoakScene,
  size: SoakSize,
  tell: (line: string) => void,
): Promise<readonly SoakSample[]> {
  const consents = consentsOf(size);
  const samples: SoakSample[] = [];
  const takeSample = async (seconds: number) => {
    const sample = await sampleOf(scene, seconds);
    tell(presentSample(sample, samples.at(-1)));
    samples.push(sample);
  };
  let place = 0;
  await atOnce(size.callersAtOnce, () => {
    const consent = consents[place++];
    return consent && (() => fill(scene, consent));
  });
  await takeSample(0);
  // Taken only now: on a busy machine the filling may take as long as the whole load.
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  for (let due = size.sampleSeconds; due <= size.seconds; due += size.sampleSeconds) {
    await atOnce(size.callersAtOnce, () => {
      if (elapsed() >= due) return undefined;
      const visit = place++;
      const consent = consents[visit % consents.length];
      return consent && (() => visitFor(scene, consent, visit));
    });
    await takeSample(elapsed());
  }
  return samples;
}

/** Fills the caches: two tokens of each consent, and two accounts that were asked for without the PSU. */
async function fill(scene: SoakScene, consent: SoakConsent): Promise<void> {
  const [first, second] = consent.accounts;
  await scene.call(consent, `/${first}/balance`);
  scene.renew(consent);
  await scene.call(consent, `/${second}/balance`);
}

async function visitFor(scene: SoakScene, consent: SoakConsent, visit: number): Promise<void> {
  for (const path of pathsOf(visit, consent.accounts)) await scene.call(consent, path);
}

async function sampleOf({ resource, statuses }: SoakScene, seconds: number): Promise<SoakSample> {
  const [memory, metrics] = [await resource.memory(), await resource.metrics()];
  const calls = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return { seconds, calls, memory, metrics };
}

/** Runs this many callers, each making one call after the other, until nothing is left to do. */
async function atOnce(callers: number, next: () => (() => Promise<void>) | undefined): Promise<void> {
  const caller = async () => {
    for (let act = next(); act !== undefined; act = next()) await act();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
