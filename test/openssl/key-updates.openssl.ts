import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Listener, openTlsListener } from "@cobs/service-edge";
import { expect } from "chai";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** `openssl s_client` sends a KeyUpdate, and requests one, for each of its reads that begins with this letter. */
const KEY_UPDATES = Buffer.alloc(1_000_000, "K");
/** Octets that `openssl s_client` reads at once. */
const READ_OCTETS = 8_192;
const START = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
/** A call of one read, and KeyUpdate messages of three times its octets. */
const CALL_WITH_KEY_UPDATES = Buffer.concat([
  Buffer.from(`${START.padEnd(READ_OCTETS - 4, "x")}\r\n\r\n`),
  Buffer.alloc(900 * READ_OCTETS, "K"),
]);

describe("TLS listener whose caller sends KeyUpdate messages without end", () => {
  const folder = temporaryFolder();
  const { log, lines } = readableLog();
  let listener: Listener;
  before(async () => {
    const now = new Date();
    listener = await openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(await createTestCa(now), folder.path, now),
      clientCertificates: { kind: "never-asked" },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log,
      handle: (_request, response) => void response.end(),
    });
  });
  after(async () => {
    await listener.close(0);
    folder.remove();
  });

  it("cuts the connection, and says so in the log (RFC 8446 section 4.6.3)", () => isCut(KEY_UPDATES));

  it("does so although they come between calls", () => isCut(CALL_WITH_KEY_UPDATES));

  /** Sends again and again until the connection ends; dd gives openssl whole reads. */
  async function isCut(octets: Buffer): Promise<void> {
    const before = lines.length;
    const connect = `openssl s_client -connect 127.0.0.1:${listener.port} -tls1_3`;
    const caller = spawn("sh", ["-c", `dd bs=${READ_OCTETS} iflag=fullblock | ${connect}`], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    caller.stdin.on("error", () => {});
    const ended = once(caller, "exit");
    await once(caller.stdout, "data");
    caller.stdout.resume();
    const flood = () => void (caller.stdin.writable && caller.stdin.write(octets, flood));
    flood();
    await ended;
    expect(lines.slice(before).map(({ msg }) => msg)).to.deep.equal(["a caller sends too much without data"]);
  }
});
