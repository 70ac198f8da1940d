import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { callbackUrl } from "../../packages/sandbox/src/tpp/callback-url.ts";

/** The part of the TPP's web site to which browsers come back. */
export interface CallbackSite {
  readonly url: URL;
  /** Every URL at which a browser arrived with this `state`, in order. */
  arrivals(state: string): readonly URL[];
  /** Serves this HTML at a path of the site. */
  serve(path: string, html: string): void;
  /** Redirects from a path of the site to another URL. */
  lead(path: string, to: string): void;
  /** Holds all answers until the returned function is called. */
  hold(): () => void;
  close(): void;
}

const BACK = page("Back at the TPP", "<h1>Back at the TPP</h1>");

/** A page of the TPP's own. */
export function page(title: string, content: string): string {
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>${content}</html>`;
}

/** Opens the site with the sandbox's certificate for callbacks. */
export async function openCallbackSite({ callback }: SandboxDocument): Promise<CallbackSite> {
  const url = new URL(callbackUrl(callback.port));
  const arrived: URL[] = [];
  const pages = new Map([[url.pathname, BACK]]);
  const ways = new Map<string, string>();
  const keyPair = { cert: await readFile(callback.certificate), key: await readFile(callback.key) };
  let held = Promise.resolve();
  const server = createServer(keyPair, async (request, response) => {
    const asked = new URL(request.url ?? "/", url);
    if (asked.pathname === url.pathname) arrived.push(asked);
    const html = pages.get(asked.pathname);
    const location = ways.get(asked.pathname);
    await held;
    const status = location !== undefined ? 302 : html !== undefined ? 200 : 404;
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...(location && { location }) });
    response.end(html);
  });
  server.listen(callback.port, "127.0.0.1");
  await once(server, "listening");
  return {
    url,
    arrivals: (state) => arrived.filter(({ searchParams }) => searchParams.get("state") === state),
    serve: (path, html) => pages.set(path, html),
    lead: (path, to) => ways.set(path, to),
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
