// A reader of the XML that we write: strict where a build server's is, and it knows no more than we use.

export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Directly within it. */
  text: string;
};

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** XML 1.0 §2.2. */
const barred = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const start = /^<([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>$/;

/** In the order of the document; throws where it is not well-formed. */
export function readXml(xml: string): XmlElement[] {
  if (!xml.startsWith(declaration)) throw new Error("No XML declaration.");
  if (barred.test(xml)) throw new Error("A barred character.");
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  for (const [token] of xml.slice(declaration.length).matchAll(/<[^>]*>|[^<]+/g)) {
    const current = open.at(-1);
    if (!token.startsWith("<")) {
      if (current) current.text += decode(token);
    } else if (token === `</${current?.name}>`) open.pop();
    else {
      const { element, isEmpty } = readStart(token);
      elements.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  if (open.length > 0) throw new Error("The end is missing.");
  return elements;
}

function readStart(token: string): { readonly element: XmlElement; readonly isEmpty: boolean } {
  const [, name, attributes = "", slash] = start.exec(token) ?? [];
  if (name === undefined) throw new Error(`This opens and closes nothing: ${token}`);
  const pairs = [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)];
  const decoded = pairs.map(([, key = "", value = ""]) => [key, decode(value)]);
  return { element: { name, attributes: Object.fromEntries(decoded), text: "" }, isEmpty: slash === "/" };
}

const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };

function decode(text: string): string {
  return text.replace(/&(\w*;?)/g, (_, name: string) => {
    const character = characters[name.replace(/;$/, "")];
    if (character === undefined || !name.endsWith(";")) throw new Error(`No entity: &${name}`);
    return character;
  });
}
