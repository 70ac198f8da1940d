import Router from "@koa/router";
import type { HandedOverRoute, Route } from "./call.ts";
import { EdgeRefusal } from "./edge-refusal.ts";

/** The route of a call, and the values of the `:name` parts of its path. */
export interface FoundRoute<R> {
  readonly route: R;
  readonly parameters: Readonly<Record<string, string>>;
}

type Match = ReturnType<Router["match"]>;
type Layer = Match["path"][number];

/** The list of routes of a listener; HEAD is answered wherever GET is. */
export interface RouteTable<R> {
  /** Finds the route; refuses with `route_unknown` or `method_not_allowed`. */
  find(method: string, path: string): FoundRoute<R>;
}

/**
 * Makes the table of a listener. Of two routes for one path the first counts. A literal path belongs to its route alone,
 * whatever the method, even if a route with parameters would fit it too.
 */
export function createRouteTable<R extends Route | HandedOverRoute>(routes: readonly R[]): RouteTable<R> {
  const router = new Router({ strict: true, sensitive: true });
  for (const { path, method } of routes) router.register(path, [method], () => {});
  const routeOf = new Map(router.stack.map((layer, index) => [layer, routes[index]]));
  // A path without parameters is matched once; the others with each call.
  const fixed = new Map<string, Match>();
  for (const { path, method } of routes)
    if (!path.includes(":")) fixed.set(`${method} ${path}`, router.match(path, method));
  return {
    find: (method, path) => {
      const matched = fixed.get(`${method} ${path}`) ?? printedAlone(router.match(path, method));
      const [layer] = matched.pathAndMethod;
      const route = layer && routeOf.get(layer);
      if (layer === undefined || route === undefined) throw refusalOf(matched);
      return { route, parameters: parametersOf(layer, path) };
    },
  };
}

/** Keeps only literal routes if there are any, because OpenAPI compares paths in this order. */
function printedAlone(matched: Match): Match {
  const isPrinted = ({ paramNames }: Layer) => paramNames.length === 0;
  if (!matched.path.some(isPrinted)) return matched;
  const { path, pathAndMethod } = matched;
  return { ...matched, path: path.filter(isPrinted), pathAndMethod: pathAndMethod.filter(isPrinted) };
}

function parametersOf(layer: Layer, path: string): Readonly<Record<string, string>> {
  return layer.paramNames.length === 0 ? {} : layer.params(path, layer.captures(path));
}

function refusalOf({ path }: Match): EdgeRefusal {
  const allow = [...new Set(path.flatMap(({ methods }) => methods))];
  if (allow.length === 0) return new EdgeRefusal("route_unknown", "there is nothing at this path");
  return new EdgeRefusal("method_not_allowed", `this path allows ${allow.join(", ")}`, { allow });
}
