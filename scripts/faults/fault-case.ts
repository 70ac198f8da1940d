/** Verdict on one fault: whether every promise held, and the figures that show it, in one line. */
export interface Verdict {
  readonly held: boolean;
  readonly detail: string;
}

/** One fault, with what must hold during and after it; `Scene` is what runs before it begins, such as a topology. */
export interface FaultCase<Scene> {
  readonly name: string;
  /** Whether it is in the small sample of `--quick`. */
  readonly quick?: boolean;
  /** Runs the case, and leaves its scene as it was found: mended, and answering. A throw counts as a failed verdict. */
  run(scene: Scene): Promise<Verdict>;
}

/** What a scene is opened with. */
export interface FaultParts {
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
  /** Whether a small sample is wanted: fewer cases, and less work in each. */
  readonly quick: boolean;
}

/** Cases that share a scene, which is opened once, before the first wanted case. */
export interface FaultGroup<Scene> {
  open(parts: FaultParts): Promise<Scene>;
  close(scene: Scene): Promise<void>;
  readonly cases: readonly FaultCase<Scene>[];
}

/** A verdict with the name of its case and its duration in seconds. */
export interface NamedVerdict extends Verdict {
  readonly name: string;
  readonly seconds: number;
}

/** A group whose scene is hidden from its users. */
export interface PlannedGroup {
  readonly cases: readonly { readonly name: string; readonly quick: boolean }[];
  /** Runs the cases of these names, in order. */
  run(names: ReadonlySet<string>, parts: FaultParts): Promise<readonly NamedVerdict[]>;
}

/** Makes a planned group. */
export function plan<Scene>(group: FaultGroup<Scene>): PlannedGroup {
  return {
    cases: group.cases.map(({ name, quick = false }) => ({ name, quick })),
    run: async (names, parts) => {
      const wanted = group.cases.filter(({ name }) => names.has(name));
      return wanted.length === 0 ? [] : runCases(group, wanted, parts);
    },
  };
}

async function runCases<Scene>(
  group: FaultGroup<Scene>,
  wanted: readonly FaultCase<Scene>[],
  parts: FaultParts,
): Promise<readonly NamedVerdict[]> {
  const verdicts: NamedVerdict[] = [];
  parts.say(`starting what ${wanted.map(({ name }) => name).join(", ")} need`);
  try {
    const scene = await group.open(parts);
    for (const each of wanted) verdicts.push(await judge(each, scene, parts));
    await group.close(scene);
    return verdicts;
  } catch (error) {
    parts.say(tell(error));
    const left = wanted.slice(verdicts.length);
    const without = { held: false, detail: tell(error), seconds: 0 };
    return [...verdicts, ...left.map(({ name }) => ({ name, ...without }))];
  }
}

async function judge<Scene>(
  { name, run }: FaultCase<Scene>,
  scene: Scene,
  { say }: FaultParts,
): Promise<NamedVerdict> {
  say(`${name}: begins`);
  const since = performance.now();
  const verdict = await run(scene).catch((error: unknown) => ({ held: false, detail: tell(error) }));
  const seconds = (performance.now() - since) / 1_000;
  say(`${name}: ${verdict.held ? "held" : "DID NOT HOLD"} (${seconds.toFixed(0)} s): ${verdict.detail}`);
  return { name, seconds, ...verdict };
}

function tell(error: unknown): string {
  return `it could not be completed: ${error instanceof Error ? error.message : String(error)}`;
}
