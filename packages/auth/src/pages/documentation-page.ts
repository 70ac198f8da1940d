import { listOperations, type OpenApiDocument, type OperationLine } from "@cobs/cobs-model/openapi";

/** What the page of the interface says without a script, by heading. */
export interface DocumentationView {
  readonly groups: readonly {
    readonly name: string;
    readonly description: string;
    readonly operations: readonly OperationLine[];
  }[];
  /** Paths of the files that the page loads. */
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
}

/** Presents the operations of the interface for a reader. */
export function presentDocumentation(document: OpenApiDocument): Pick<DocumentationView, "groups"> {
  const lines = listOperations(document);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description: withoutMarks(description),
    operations: lines.filter(({ tag }) => tag === name).map(presentLine),
  }));
  return { groups };
}

function presentLine(line: OperationLine): OperationLine {
  return { ...line, summary: withoutMarks(line.summary), description: withoutMarks(line.description) };
}

/** Removes the only Markdown that descriptions contain. */
function withoutMarks(markdown: string): string {
  return markdown.replace(/[`*]/g, "");
}
