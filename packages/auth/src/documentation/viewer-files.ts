/**
 * Files of the page that documents the interface: a viewer from its package, our own stylesheet and script, and the
 * document as a script with data, because our content security policy lets a page fetch nothing.
 */
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OpenApiDocument } from "@cobs/cobs-model/openapi";
import { type Asset, makeAsset } from "../pages/asset.ts";

/** A file, also compressed; it holds no secrets. */
export interface ViewerFile extends Asset {
  readonly gzipped: Buffer;
}

/** The files by their use in the page. */
export interface ViewerFiles {
  readonly stylesheets: readonly ViewerFile[];
  /** In the order in which they run. */
  readonly scripts: readonly ViewerFile[];
}

/** Size limit; a larger file is not the expected one. */
const LIMIT_BYTES = 8 * 1_024 * 1_024;
const OWN = new URL("../../assets/", import.meta.url);

const { resolve } = createRequire(import.meta.url);
const compress = promisify(gzip);

/** Reads and names all files; rejects when one is missing or too large. */
export async function loadViewerFiles(document: OpenApiDocument): Promise<ViewerFiles> {
  const data = Buffer.from(`globalThis.cobsInterface = ${JSON.stringify(document)};\n`);
  const [viewerStyle, ownStyle, viewer, own] = await Promise.all([
    readBounded(resolve("swagger-ui-dist/swagger-ui.css")),
    readBounded(new URL("documentation.css", OWN)),
    readBounded(resolve("swagger-ui-dist/swagger-ui-bundle.js")),
    readBounded(new URL("documentation.js", OWN)),
  ]);
  const styles = [fileOf("viewer", viewerStyle, "css"), fileOf("documentation", ownStyle, "css")];
  const scripts = [
    fileOf("viewer", viewer, "js"),
    fileOf("interface", data, "js"),
    fileOf("documentation", own, "js"),
  ];
  return { stylesheets: await Promise.all(styles), scripts: await Promise.all(scripts) };
}

async function fileOf(name: string, body: Buffer, ending: "css" | "js"): Promise<ViewerFile> {
  return { ...makeAsset(name, ending, body), gzipped: await compress(body) };
}

async function readBounded(file: string | URL): Promise<Buffer> {
  const opened = await open(file);
  try {
    const { size } = await opened.stat();
    if (size > LIMIT_BYTES) throw new Error(`${String(file)} has more than ${LIMIT_BYTES} bytes`);
    return await opened.readFile();
  } finally {
    await opened.close();
  }
}
