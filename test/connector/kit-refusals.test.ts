import { expect } from "chai";
import { type Behaviour, startScriptedCore } from "../resource/connector/scripted-core.ts";
import { atCoreOf, checksFor, openCoreAt, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

/** Octets, and what they are told to be. */
interface Spoken {
  readonly type: string;
  readonly octets: Buffer;
}

const PROBLEM = "application/problem+json";

/** A right core system, each of whose refusals is spoken in another way. */
async function judgeRefusing(speak: (octets: Buffer) => Spoken, clause: string) {
  const proxy = await startScriptedCore();
  return atCoreOf(memoryBank(), async (url) => {
    const behind = await openCoreAt(url);
    const behaviour: Behaviour = async (request, response) => {
      const { status, body } = await behind.send(request.url ?? "");
      const { type, octets } = status === 200 ? { type: "application/json", octets: body } : speak(body);
      response.writeHead(status, { "Content-Type": type }).end(octets);
    };
    proxy.behave(behaviour);
    return resultsOf(proxy.url.href, checksFor(clause)).finally(() => behind.close());
  }).finally(() => proxy.die());
}

/** Refusals that resource takes for a failure of the core system, what is wrong about each, and how it is made. */
const NO_REFUSALS: readonly (readonly [string, string, (octets: Buffer) => Spoken])[] = [
  [
    "in ISO-8859-1",
    "it is not UTF-8",
    (octets) => ({ type: PROBLEM, octets: Buffer.from(titled(octets, "Neznámá adresa"), "latin1") }),
  ],
  [
    "with a member twice",
    "a member name is repeated",
    (octets) => ({ type: PROBLEM, octets: Buffer.from(octets.toString().replace("{", '{"title":"",')) }),
  ],
  [
    "as another kind of JSON",
    `the media type is not ${PROBLEM}`,
    (octets) => ({ type: `${PROBLEM}-x`, octets }),
  ],
  [
    "behind a byte order mark",
    "it begins with a byte order mark",
    (octets) => ({ type: PROBLEM, octets: Buffer.concat([Buffer.from("\uFEFF"), octets]) }),
  ],
];

describe("the test kit on refusals (contract, clause 1.3)", () => {
  for (const [how, wrong, speak] of NO_REFUSALS)
    for (const clause of ["1.4", "3.1"])
      it(`fails a core system that refuses ${how} at clause ${clause}`, async () => {
        const [result] = await judgeRefusing(speak, clause);
        expect(result?.outcome).to.equal("failed");
        expect(result?.seen).to.include(wrong).and.to.include("(clause 1.3)");
      });

  it("passes a core system that refuses with a charset, and in its own words", async () => {
    const speak = (octets: Buffer) => ({
      type: `${PROBLEM}; charset=utf-8`,
      octets: Buffer.from(titled(octets, "Účet neexistuje")),
    });
    for (const clause of ["1.4", "3.1", "3.2", "3.3"])
      for (const { outcome } of await judgeRefusing(speak, clause))
        expect(outcome, clause).to.equal("passed");
  });
});

function titled(octets: Buffer, title: string): string {
  return JSON.stringify({ ...JSON.parse(octets.toString()), title });
}
