/** The interface's description for programs, `/openapi.json`, and for people, `/docs`, from our own origin only. */
import { describeInterface, type InterfaceHosts } from "@cobs/cobs-model/openapi";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import { loadViewerFiles, type ViewerFile, type ViewerFiles } from "../../documentation/viewer-files.ts";
import { type DocumentationView, presentDocumentation } from "../../pages/documentation-page.ts";
import type { PageFrame } from "../../pages/page-view.ts";
import type { Pages } from "../../pages/pages.ts";
import { type AnswerPageParts, answerPage, type PageAnswer } from "./answer-page.ts";
import { KEPT_FOR_EVER, requireAsset } from "./require-asset.ts";

/** What the documentation routes need. */
export interface DocumentationParts extends AnswerPageParts {
  readonly hosts: InterfaceHosts;
}

const PAGE = "/docs";

/** Makes the documentation routes. The viewer's files are read at the first visit. */
export function createDocumentationRoutes(parts: DocumentationParts): readonly Route[] {
  const document = describeInterface(parts.hosts);
  const body = JSON.stringify(document);
  const presented = presentDocumentation(document);
  let loading: Promise<ViewerFiles> | undefined;
  const load = () => {
    loading ??= loadViewerFiles(document).catch((error: unknown) => {
      // The next visit tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const showPage = async () => showDocumentation({ ...presented, ...addressesOf(await load()) });
  return [
    {
      method: "GET",
      path: "/openapi.json",
      handle: async () => ({ status: 200, content: { type: "application/json", body } }),
    },
    { method: "GET", path: PAGE, handle: (call) => answerPage(parts, call, showPage) },
    { method: "GET", path: `${PAGE}/:file`, handle: async (call) => answerFile(await load(), call) },
  ];
}

function showDocumentation(view: DocumentationView): PageAnswer & { readonly path: string } {
  const render = (pages: Pages, frame: PageFrame) => pages.documentation(frame, view);
  return { show: "page", name: "docs", path: PAGE, render };
}

function addressesOf({ stylesheets, scripts }: ViewerFiles) {
  const addressOf = ({ fileName }: ViewerFile) => `${PAGE}/${fileName}`;
  return { stylesheets: stylesheets.map(addressOf), scripts: scripts.map(addressOf) };
}

function answerFile({ stylesheets, scripts }: ViewerFiles, call: IncomingCall): Answer {
  const file = requireAsset([...stylesheets, ...scripts], call.parameters.file);
  const takesGzip = /(^|[\s,])gzip([\s,]|;\s*q=(1|0\.\d*[1-9])|$)/i.test(
    call.header("accept-encoding") ?? "",
  );
  const headers = {
    "Cache-Control": KEPT_FOR_EVER,
    Vary: "Accept-Encoding",
    ...(takesGzip && { "Content-Encoding": "gzip" }),
  };
  return { status: 200, headers, content: { type: file.type, body: takesGzip ? file.gzipped : file.body } };
}
