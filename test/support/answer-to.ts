import { connect } from "node:tls";
import type { Issued } from "../psd2-certificates/certificate-builder.ts";

/** Calls GET / on this machine with a leaf certificate and what is sent along with it; returns the answer, head included. */
export function answerTo([leaf, ...others]: readonly [Issued, ...Issued[]], port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const cert = [leaf, ...others].map(({ pem }) => pem).join("");
    const key = leaf.key.export({ type: "pkcs8", format: "pem" });
    const socket = connect({ port, rejectUnauthorized: false, cert, key });
    let text = "";
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
