// Reports the elements of a stranger's XML in one pass. An XML parser isn't used: it could expand entities and document
// types, and it rejects reports that are cut off or badly nested, which still have usable content. Linear for any
// input: every search continues where the last one ended, and one that finds nothing ends the reading.

export type XmlVisitor = {
  /** Keys are `parent/name`, without namespace prefixes. */
  readonly begin: (key: string) => void;
  /** Called for an element that contains only text, before its end. */
  readonly leaf: (key: string, text: string) => void;
  readonly end: (key: string) => void;
};

/** Real reports nest six deep. */
const maxDepth = 20;
const longestText = 1_000;

export function readXml(xml: string, visitor: XmlVisitor): void {
  const open: string[] = [];
  // How many elements are open below the deepest level that is read.
  let tooDeep = 0;
  /** Where the text of the innermost element begins. -1 once it contained another element. */
  let textAt = -1;
  const keyAt = (index: number) => `${open[index - 1] ?? ""}/${open[index]}`;

  function begin(name: string, behind: number): void {
    textAt = behind;
    if (open.length >= maxDepth) tooDeep++;
    else visitor.begin(keyAt(open.push(name) - 1));
  }

  function end(name: string, before: number): void {
    const from = textAt;
    textAt = -1;
    if (tooDeep > 0) {
      tooDeep--;
      return;
    }
    const index = open.lastIndexOf(name);
    if (index < 0) return;
    const key = keyAt(index);
    if (from >= 0 && index === open.length - 1) visitor.leaf(key, toText(xml.slice(from, before)));
    visitor.end(key);
    // Unclosed elements inside it end silently.
    open.length = index;
  }

  forEachTag(xml, ({ name, isEnd, isWhole, at, behind }) => {
    if (!isEnd) begin(name, behind);
    if (isEnd || isWhole) end(name, isEnd ? at : behind);
  });
}

type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  /** `<name/>`. */
  readonly isWhole: boolean;
  readonly at: number;
  readonly behind: number;
};

function forEachTag(xml: string, onTag: (tag: Tag) => void): void {
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at)) {
    const aside = asideAt(xml, at);
    const [tag, slash, name = ""] = (aside === undefined && tagAt(xml, at + 1)) || [];
    if (aside === undefined && tag === undefined) {
      at++;
      continue;
    }
    const behind = endOf(xml, aside ?? ">", at);
    if (behind < 0) return;
    const isEnd = slash === "/";
    if (tag !== undefined) onTag({ name, isEnd, isWhole: !isEnd && xml[behind - 2] === "/", at, behind });
    at = behind;
  }
}

/** The end marker of comments, CDATA, declarations and processing instructions. */
function asideAt(xml: string, at: number): string | undefined {
  if (xml[at + 1] === "?") return "?>";
  if (xml[at + 1] !== "!") return undefined;
  if (xml.startsWith("<!--", at)) return "-->";
  return xml.startsWith(cdata, at) ? "]]>" : ">";
}

/** The offset after the mark, or -1 if there is none. */
function endOf(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  return found < 0 ? -1 : found + mark.length;
}

const tagName = /(\/?)(?:[\w.-]{1,30}:)?([\w-]{1,40})/y;

function tagAt(xml: string, at: number): RegExpExecArray | null {
  tagName.lastIndex = at;
  return tagName.exec(xml);
}

const cdata = "<![CDATA[";
const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Decodes numeric references and the five entities of XML itself, and no others. */
function toText(content: string): string {
  const text = content.trim().slice(0, longestText);
  const isQuoted = text.startsWith(cdata) && text.endsWith("]]>");
  if (isQuoted) return text.slice(cdata.length, -3).trim();
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
