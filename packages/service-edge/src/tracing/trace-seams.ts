import type { PrivateClient } from "../client/private-client.ts";
import type { Database, Queries } from "../database/database-postgres.ts";
import type { HandedOverRoute, IncomingCall, Route } from "../http/call.ts";
import { statusOfCall } from "../http/call-record.ts";
import type { CallSpan, Spans } from "./open-spans.ts";
import type { Tracing } from "./tracing.ts";

/** Traces a service at its seams. */
export function traceSeams(spans: Spans): Tracing {
  return {
    routes: (routes) => routes.map((route) => traceRoute(route, spans)),
    database: (database) => traceDatabase(database, spans),
    redis: (redis) => ({
      ...redis,
      run: (script, parameters) => {
        const facts = { "db.system.name": "redis", "db.operation.name": script.name };
        return spans.within(`redis ${script.name}`, facts, () => redis.run(script, parameters));
      },
    }),
    peer: (client, name) => tracePeer(client, name, spans),
    asking: spans.within,
    headers: spans.headers,
  };
}

function traceRoute<R extends Route | HandedOverRoute>(route: R, spans: Spans): R {
  const begin = (call: IncomingCall) => beginCall(route, call, spans);
  if ("handOver" in route) {
    const { handOver } = route;
    const traced: HandedOverRoute["handOver"] = (request, response, call) =>
      begin(call).run(() => handOver(request, response, call));
    return { ...route, handOver: traced };
  }
  const { handle } = route;
  const traced: Route["handle"] = (call) => begin(call).run(() => handle(call));
  return { ...route, handle: traced };
}

/** Begins a span that ends with the answer, however the answer ends. */
function beginCall({ method, path }: Route | HandedOverRoute, call: IncomingCall, spans: Spans): CallSpan {
  const { response } = call.exchange;
  const facts = { "http.request.method": method, "http.route": path, "cobs.request_id": call.requestId };
  const span = spans.beginCall(`${method} ${path}`, facts, call.traceContext);
  call.note({ traceId: span.traceId });
  response.once("close", () => span.end(statusOfCall(response)));
  return span;
}

function traceDatabase(database: Database, spans: Spans): Database {
  const traced = (queries: Queries): Queries => ({
    run: (statement) => {
      const facts = { "db.system.name": "postgresql", "db.query.summary": statement.name };
      return spans.within(`sql ${statement.name}`, facts, () => queries.run(statement));
    },
  });
  return {
    ...database,
    ...traced(database),
    transaction: (work, turn) =>
      spans.within("sql transaction", { "db.system.name": "postgresql" }, () =>
        database.transaction((queries) => work(traced(queries)), turn),
      ),
  };
}

/** Traces calls of another service, by method only, because the paths may hold ids. */
function tracePeer(client: PrivateClient, name: string, spans: Spans): PrivateClient {
  const ask = <T>(method: string, question: (headers: Readonly<Record<string, string>>) => Promise<T>) =>
    spans.within(`${method} ${name}`, { "http.request.method": method, "peer.service": name }, () =>
      question(spans.headers()),
    );
  return {
    ...client,
    get: (path, headers, signal) => ask("GET", (trace) => client.get(path, { ...headers, ...trace }, signal)),
    postForm: (path, form, headers, nature) =>
      ask("POST", (trace) => client.postForm(path, form, { ...headers, ...trace }, nature)),
    postJson: (path, value, headers, nature) =>
      ask("POST", (trace) => client.postJson(path, value, { ...headers, ...trace }, nature)),
    delete: (path, headers) => ask("DELETE", (trace) => client.delete(path, { ...headers, ...trace })),
  };
}
