import { type DefaultTreeAdapterTypes, parse } from "parse5";

/** A field of a form; buttons and boxes are only sent if pressed or ticked. */
export interface HtmlField {
  readonly name: string;
  /** `text`, `password`, `hidden`, `checkbox`, `radio`, `submit`, … */
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
  readonly autocomplete: string;
}

/** A form with its fields in the order of the page; `action` is as written. */
export interface HtmlForm {
  readonly action: string;
  readonly fields: readonly HtmlField[];
}

/** The forms and the texts of a page. */
export interface HtmlPage {
  readonly title: string;
  readonly forms: readonly HtmlForm[];
  /** The text of every element with the role `alert`. */
  readonly alerts: readonly string[];
  /** The lines of an error page for developers and the bank's support. */
  readonly references: readonly string[];
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const FIELD_TAGS: readonly string[] = ["input", "button", "textarea"];

/** Reads a page as a browser does (HTML Living Standard 13.2). */
export function readHtmlPage(html: string): HtmlPage {
  const elements = elementsBelow(parse(html).childNodes);
  const title = elements.find(({ tagName }) => tagName === "title");
  return {
    title: title === undefined ? "" : textOf(title),
    forms: elements.filter(({ tagName }) => tagName === "form").map(readForm),
    alerts: elements.filter((each) => attribute(each, "role") === "alert").map(textOf),
    references: elements.filter((each) => attribute(each, "class") === "reference").map(textOf),
  };
}

function readForm(form: Element): HtmlForm {
  const fields = elementsBelow(form.childNodes).filter(({ tagName }) => FIELD_TAGS.includes(tagName));
  return { action: attribute(form, "action") ?? "", fields: fields.map(readField) };
}

function readField(field: Element): HtmlField {
  const type = attribute(field, "type") ?? (field.tagName === "button" ? "submit" : "text");
  return {
    name: attribute(field, "name") ?? "",
    type,
    value: attribute(field, "value") ?? (type === "checkbox" ? "on" : ""),
    checked: attribute(field, "checked") !== undefined,
    autocomplete: attribute(field, "autocomplete") ?? "",
  };
}

function elementsBelow(nodes: readonly Node[]): readonly Element[] {
  return nodes.flatMap((node) => ("tagName" in node ? [node, ...elementsBelow(node.childNodes)] : []));
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

function textOf(element: Element): string {
  const parts = element.childNodes.map((node) => {
    if ("tagName" in node) return textOf(node);
    return "value" in node ? node.value : "";
  });
  return parts.join(" ").replace(/\s+/g, " ").trim();
}
