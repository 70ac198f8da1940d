import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import {
  createGuardedFetch,
  createMetrics,
  createOutgoingMetrics,
  createPrivateClient,
  type GuardedFetch,
  type PrivateClient,
} from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { type OutsideServer, openOutsideServer } from "../support/outside-server.ts";
import { rejectionOf } from "../support/rejection.ts";
import { testCertificates } from "../support/test-certificates.ts";

const NAME = "outgoing_request_duration_seconds";
const LIMIT_MILLISECONDS = 400;
const FORM = new URLSearchParams();
const NOTHING = { answered: 0, refused: 0, failed: 0, unanswered: 0, given_up: 0 };

/** Answers with the status that its path names, and never to any other path. */
const answerByPath: RequestListener = (request, response) => {
  const [status] = /\d{3}/.exec(request.url ?? "") ?? [];
  if (status !== undefined) response.writeHead(Number(status)).end();
};

describe("Durations of outgoing requests", () => {
  let metrics: ReturnType<typeof createMetrics>;
  let outgoing: ReturnType<typeof createOutgoingMetrics>;
  beforeEach(() => {
    metrics = createMetrics("auth");
    outgoing = createOutgoingMetrics(metrics);
  });

  /** What was counted of a target, by outcome. */
  async function countsOf(target: string): Promise<Record<string, number>> {
    const { body } = await metrics.present();
    const series = new RegExp(`^${NAME}_count\\{target="${target}",outcome="(\\w+)".*\\} (\\d+)$`, "gm");
    return Object.fromEntries(
      [...body.matchAll(series)].map(([, outcome, count]) => [outcome, Number(count)]),
    );
  }

  describe("to services of the bank", () => {
    let server: Server;
    let plain: PrivateClient;
    let client: PrivateClient;
    let asked = 0;
    before(async () => {
      const { server: servers, privateCaFile } = await testCertificates();
      const { certificateFile, keyFile } = servers.authBank;
      const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
      server = createServer(tls, (request, response) => {
        asked += 1;
        answerByPath(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      plain = createPrivateClient({
        service: "the other",
        base: new URL(`https://localhost:${(server.address() as AddressInfo).port}`),
        authority: readFileSync(privateCaFile, "utf8"),
        limitMilliseconds: LIMIT_MILLISECONDS,
      });
    });
    beforeEach(() => {
      client = outgoing.ofClient(plain, "other_names");
    });
    after(async () => {
      await plain.close();
      server.closeAllConnections();
      server.close();
    });

    it("begin at 0 for every outcome, also for a target of two clients", async () => {
      outgoing.ofClient(plain, "other_names");
      expect(await countsOf("other_names")).to.deep.equal(NOTHING);
      const { body } = await metrics.present();
      const lines = body.split("\n").filter((line) => line.startsWith(`${NAME}_count`));
      expect(new Set(lines).size).to.equal(lines.length);
    });

    it("are counted by the status of the answer, whatever the method", async () => {
      for (const status of [200, 204, 302]) await client.get(`/${status}`);
      for (const status of [400, 410]) await client.postJson(`/${status}`, {});
      await client.postForm("/500", FORM);
      await client.delete("/503");
      const counts = { ...NOTHING, answered: 3, refused: 2, failed: 2 };
      expect(await countsOf("other_names")).to.deep.equal(counts);
    });

    it("are counted apart where no answer came in time, and where nobody waited for it", async () => {
      const waiting = new AbortController();
      const givenUp = rejectionOf(client.get("/held", {}, waiting.signal));
      const before = asked;
      await eventually(() => asked > before);
      waiting.abort();
      await givenUp;
      await rejectionOf(client.get("/never", {}, new AbortController().signal));
      expect(await countsOf("other_names")).to.deep.equal({ ...NOTHING, unanswered: 1, given_up: 1 });
    });

    it("are as long as the request took", async () => {
      await client.get("/200");
      await rejectionOf(client.get("/never"));
      const { body } = await metrics.present();
      const sumOf = (outcome: string) =>
        Number(new RegExp(`^${NAME}_sum\\{.*outcome="${outcome}".*\\} (\\S+)$`, "m").exec(body)?.[1]);
      const limit = LIMIT_MILLISECONDS / 1000;
      // Far from both its milliseconds and what a busy machine adds.
      expect(sumOf("unanswered")).to.be.within(limit - 0.01, 100 * limit);
      expect(sumOf("answered")).to.be.greaterThan(0).and.below(sumOf("unanswered"));
    });
  });

  describe("outside the bank", () => {
    let server: OutsideServer;
    let guarded: GuardedFetch;
    before(async () => {
      server = await openOutsideServer(answerByPath);
      guarded = createGuardedFetch({ allowsPrivateAddresses: true });
    });
    after(async () => {
      await guarded.close();
      server.close();
    });

    it("are answered by status 200 alone; an error of the other side is none of the network", async () => {
      const fetch = outgoing.ofFetch(guarded.fetch, "lists");
      const ask = (path: string) =>
        fetch({
          url: new URL(path, `http://127.0.0.1:${server.port}`),
          body: undefined,
          contentType: undefined,
          accept: "application/pkix-crl",
          limitOctets: 1_000,
          limitMilliseconds: LIMIT_MILLISECONDS,
        });
      await ask("/200");
      for (const path of ["/404", "/503", "/202", "/301", "/never"]) await rejectionOf(ask(path));
      const counts = { ...NOTHING, answered: 1, refused: 1, failed: 1, unanswered: 3 };
      expect(await countsOf("lists")).to.deep.equal(counts);
    });
  });
});
