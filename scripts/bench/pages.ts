/**
 * `npm run bench:pages`: prints the weight of each page and the milliseconds of processor time to render it, the worst first.
 * Exits with 1 when a page weighs 60 kB or costs 20 ms.
 */
import type { Pages } from "../../packages/auth/src/pages/pages.ts";
import { createCommand, readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";

const MOST_BYTES = 60_000;
const MOST_MILLISECONDS = 20;
const WARM_UP = 50;
const ROUNDS = 500;
const FRAME = { language: "cs", switchPath: "/oauth/interaction/3zQ1wJ8v0m5Yx2Tn7Lk4R" } as const;

await readCommandLine(
  createCommand(
    "npm run bench:pages",
    "Prints what a page weighs and what rendering it costs, in milliseconds of the processor; the worst first.",
  ).addHelpText(
    "after",
    "\nExit codes: 0 none is too heavy or too dear, 1 one weighs 60 kB or costs 20 ms, 2 wrong usage.",
  ),
  () => undefined,
);
const { createPages } = await import("../../packages/auth/src/pages/pages.ts");
const { en } = await import("../../packages/auth/src/pages/texts/en.ts");
const { sampleConsent } = await import("../../test/auth/pages/sample-consents.ts");
const { sampleOrder, samplePages, sampleSignIn } = await import("../../test/auth/pages/sample-pages.ts");

/** The pages whose content grows, and the plainest one. */
const RENDERED: Readonly<Record<string, (pages: Pages) => string>> = {
  "consent, 400 accounts": (pages) => pages.consent(FRAME, sampleConsent(["aisp", "pisp"], 400)),
  "consent, 4 accounts": (pages) => pages.consent(FRAME, sampleConsent(["aisp"], 4)),
  order: (pages) => pages.order(FRAME, sampleOrder()),
  "sign-in": (pages) => pages.signIn(FRAME, sampleSignIn),
  message: (pages) =>
    pages.message(FRAME, { message: "failed", requestId: "0b6c1d5e-6a0f-4a5e-9d8b-1f2a3c4d5e6f" }),
};

function millisecondsOf(act: () => unknown): number {
  for (let round = 0; round < WARM_UP; round += 1) act();
  const start = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / ROUNDS;
}

const pages = createPages({ bankName: en.names.en });
const rows = Object.entries(RENDERED).map(([name, render]) => ({
  name,
  bytes: Buffer.byteLength(render(pages)),
  milliseconds: millisecondsOf(() => render(pages)),
}));
const all = [...samplePages(pages, "cs"), ...samplePages(pages, "en")];
const [heaviest = "", html = ""] = all.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
const { body } = pages.stylesheet;

process.stdout.write("| page | kB | ms of CPU |\n| --- | ---: | ---: |\n");
for (const { name, bytes, milliseconds } of rows.toSorted(
  (one, other) => other.milliseconds - one.milliseconds,
)) {
  process.stdout.write(`| ${name} | ${(bytes / 1000).toFixed(1)} | ${milliseconds.toFixed(2)} |\n`);
}
process.stdout.write(
  `\nheaviest of ${all.length} samples: ${heaviest}, ${(Buffer.byteLength(html) / 1000).toFixed(1)} kB; `,
);
process.stdout.write(`stylesheet, once: ${(body.length / 1000).toFixed(1)} kB\n`);
const isMissed = rows.some(
  ({ bytes, milliseconds }) => bytes >= MOST_BYTES || milliseconds >= MOST_MILLISECONDS,
);
process.exit(isMissed || Buffer.byteLength(html) >= MOST_BYTES ? 1 : 0);
