// Charts and badges as SVG: elements in, markup out.

import { escapeXml } from "../html.ts";

/** An SVG element: tag, attributes and children, which are elements or text. */
export type Drawing = [
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Drawing | string)[],
];

export function renderSvg(drawing: Drawing): string {
  const [tag, attributes, ...children] = drawing;
  const allAttributes = tag === "svg" ? { xmlns: "http://www.w3.org/2000/svg", ...attributes } : attributes;
  const attributeText = Object.entries(allAttributes).map(
    ([name, value]) => ` ${name}="${escapeXml(String(value))}"`,
  );
  const inner = children.map((child) => (typeof child === "string" ? escapeXml(child) : renderSvg(child)));
  return `<${tag}${attributeText.join("")}>${inner.join("")}</${tag}>`;
}
