import { readdirSync, readFileSync } from "node:fs";
import { Eta } from "eta/core";

const FOLDER = new URL("../../templates/", import.meta.url);
const ENDING = ".eta";

/** Renders a template, named without its ending, with its data as `it`. */
export type RenderTemplate = (name: string, data: object) => string;

/**
 * Reads and compiles every template once. Each `<%= %>` is escaped; `<%~ %>` is only for other templates. Nothing that comes from
 * outside is ever compiled (server-side template injection).
 */
export function loadTemplates(): RenderTemplate {
  const eta = new Eta({ autoEscape: true, cache: true });
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(ENDING))) {
    eta.loadTemplate(`@${file.slice(0, -ENDING.length)}`, readFileSync(new URL(file, FOLDER), "utf8"));
  }
  return (name, data) => eta.render(`@${name}`, data);
}
