import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** Waits on loopback for the browser that comes back from the bank. */
export interface CallbackListener {
  /** The URL at which the browser arrived; refuses with `not_authorized` after `seconds`. */
  wait(seconds: number): Promise<URL>;
  close(): void;
}

const PAGE = `<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Back at the TPP</title>
<main><h1>Back at the TPP</h1><p>The terminal shows the result. You can close this window.</p></main></html>`;

const OWN_NAMES: readonly string[] = ["localhost", "127.0.0.1"];
const HTTPS_PORT = 443;

/** Where a browser returns, and whether `--psu` could play its person instead. */
export interface AwaitedReturn {
  readonly redirectUri: string;
  readonly isPlayable: boolean;
}

/**
 * Opens the callback with its certificate from the sandbox. Refuses with `usage` if the PSU returns to another machine, or if
 * the port is taken.
 */
export async function openCallbackListener(
  callback: SandboxDocument["callback"],
  { redirectUri, isPlayable }: AwaitedReturn,
): Promise<CallbackListener> {
  const back = new URL(redirectUri);
  if (!OWN_NAMES.includes(back.hostname)) {
    const local = "register an application whose --redirect-uri is at localhost.";
    const hint = isPlayable ? `Play the PSU with --psu, or ${local}` : local.replace("register", "Register");
    throw new TppRefusal("usage", `the browser returns to ${redirectUri}, not to this command`, hint);
  }
  const keyPair = { cert: await readFile(callback.certificate), key: await readFile(callback.key) };
  let arrive: (url: URL) => void = () => undefined;
  const arrived = new Promise<URL>((resolve) => {
    arrive = resolve;
  });
  const server = createServer(keyPair, (request, response) => {
    const url = findReturn(request, back);
    response.writeHead(url === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      connection: "close",
    });
    response.end(url === undefined ? "" : PAGE);
    if (url !== undefined) arrive(url);
  });
  await listen(server, Number(back.port || HTTPS_PORT));
  return {
    wait: (seconds) => withinSeconds(arrived, seconds),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The URL with which a browser returned; undefined for other and for malformed URLs. */
function findReturn({ method, url }: IncomingMessage, back: URL): URL | undefined {
  const address = `${back.origin}${url}`;
  const came = URL.canParse(address) ? new URL(address) : undefined;
  return method === "GET" && came?.pathname === back.pathname ? came : undefined;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const hint = "Is another command waiting? CALLBACK_PORT of npm start chooses another port.";
      reject(new TppRefusal("usage", `port ${port} for the callback cannot be opened`, hint, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function withinSeconds<T>(promise: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `the browser did not return within ${seconds} s`;
    const refusal = new TppRefusal("not_authorized", message, "To wait longer: --timeout SECONDS");
    timer = setTimeout(() => reject(refusal), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
