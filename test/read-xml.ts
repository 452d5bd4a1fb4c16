// XML as another tool reads it.
import { SaxesParser } from "saxes";

export type XmlElement = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** The name of the parent; empty for the root. */
  inside: string;
};

/** Parses with a strict parser, which throws if the XML is not well-formed. */
export function readXml(xml: string): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "", inside: open.at(-1)?.name ?? "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return elements;
}
