import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { noteWritten } from "../http/call-record.ts";
import type { OpenConnections } from "./open-connections.ts";

/**
 * The headers of `securityHeaders` for data that matter to whatever stores or shows an answer; no application writes this
 * answer.
 */
const HEADERS: readonly string[] = [
  "Cache-Control: no-store",
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
  "Referrer-Policy: no-referrer",
  "Strict-Transport-Security: max-age=31536000",
  "X-Content-Type-Options: nosniff",
  "X-Frame-Options: DENY",
];

/** How bytes that are not an HTTP request are answered. */
export interface ProtocolErrorTerms {
  readonly connections: OpenConnections;
  /** Returns the body for a status, as JSON text. */
  readonly present: (status: number) => string;
  /** Called for each answer, with Node's name for the fault; for a call that had begun, only with the status. */
  readonly onAnswer: (answer: { readonly status: number; readonly code: string | undefined }) => void;
}

/** Whether a call is unanswered and its request incomplete, so that the unreadable bytes may be its rest. */
function isUnfinished({ headersSent, req }: ServerResponse): boolean {
  return !headersSent && !req.complete;
}

/** Answers bytes that are not an HTTP request (400, 408, 431), and closes; for a call that had begun, this is the answer. */
export function answerProtocolErrors(server: Server, terms: ProtocolErrorTerms): void {
  const { connections, present, onAnswer } = terms;
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  const reasons: Record<number, string> = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // An answer to broken bytes must not be taken for that of another request on the connection.
    const calls = connections.callsOn(socket);
    const answerable = socket.writable && calls.every(isUnfinished);
    if (!answerable || error.code === "ECONNRESET") return void socket.destroy();
    const status = statuses[error.code ?? ""] ?? 400;
    onAnswer({ status, code: error.code });
    for (const call of calls) noteWritten(call, status);
    const body = present(status);
    socket.end(
      `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Date: ${new Date().toUTCString()}\r\n${HEADERS.map((header) => `${header}\r\n`).join("")}Connection: close\r\n\r\n${body}`,
    );
  });
}
