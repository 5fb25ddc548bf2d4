// Finds the first problem that makes a logo invalid SVG Tiny PS (draft-svg-tiny-ps-abrotman), or null. A scanner is
// enough for a stranger's file: it builds no tree, never expands entities, and stops at a DOCTYPE that declares any.
// Only what the profile certainly forbids is a problem.

type Element = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** An empty element, which has no end tag. */
  readonly isEmpty: boolean;
};

type Markup = { readonly at: number; readonly opens?: Element; readonly closes?: string };
type Step = Markup | { readonly problem: string };

const malformed = { problem: "it is not well-formed XML" };

type SvgState = { readonly open: string[]; elements: number; hasTitle: boolean };

export function findSvgProblem(text: string): string | null {
  const seen: SvgState = { open: [], elements: 0, hasTitle: false };
  for (let at = text.indexOf("<"); at >= 0; ) {
    const step = readMarkup(text, at);
    const problem = "problem" in step ? step.problem : takeStep(step, seen);
    if (problem !== null || "problem" in step) return problem;
    at = text.indexOf("<", step.at);
  }
  if (seen.elements === 0) return "it is not an SVG";
  if (seen.open.length > 0) return malformed.problem;
  return seen.hasTitle ? null : "it has no <title>";
}

function takeStep({ opens, closes }: Omit<Markup, "at">, seen: SvgState): string | null {
  if (opens !== undefined) return takeElement(opens, seen);
  return closes === undefined || seen.open.pop() === closes ? null : malformed.problem;
}

function takeElement(element: Element, seen: SvgState): string | null {
  const { open } = seen;
  const isRoot = seen.elements === 0;
  if (open.length === 0 && !isRoot) return malformed.problem;
  seen.elements++;
  seen.hasTitle ||= open.length === 1 && localName(element.name) === "title" && !element.isEmpty;
  if (!element.isEmpty) open.push(element.name);
  return isRoot ? findRootProblem(element) : findElementProblem(element);
}

function readMarkup(text: string, at: number): Step {
  if (text.startsWith("<!--", at)) return skipTo(text, "-->", at + 4);
  if (text.startsWith("<![CDATA[", at)) return skipTo(text, "]]>", at + 9);
  if (text.startsWith("<!", at)) return readDocumentType(text, at);
  if (text.startsWith("<?xml-stylesheet", at)) return { problem: "it uses a style sheet" };
  if (text.startsWith("<?", at)) return skipTo(text, "?>", at + 2);
  return text.startsWith("</", at) ? readClosing(text, at) : readOpening(text, at);
}

function skipTo(text: string, end: string, from: number): Step {
  const found = text.indexOf(end, from);
  return found < 0 ? malformed : { at: found + end.length };
}

function readDocumentType(text: string, at: number): Step {
  const end = text.indexOf(">", at);
  if (end < 0) return malformed;
  return text.slice(at, end).includes("[") ? { problem: "its DOCTYPE contains declarations" } : { at: end + 1 };
}

const closing = /<\/([^\s<>/="']+)\s*>/y;

function readClosing(text: string, at: number): Step {
  const [whole, name] = matchAt(closing, text, at) ?? [];
  return whole === undefined || name === undefined ? malformed : { at: at + whole.length, closes: name };
}

const opening = /<([^\s<>/="']+)/y;
const attribute = /\s+([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const ending = /\s*(\/?)>/y;

function readOpening(text: string, start: number): Step {
  const [begin, name] = matchAt(opening, text, start) ?? [];
  if (begin === undefined || name === undefined) return malformed;
  const attributes = new Map<string, string>();
  let at = start + begin.length;
  for (let found = matchAt(attribute, text, at); found; found = matchAt(attribute, text, at)) {
    attributes.set(found[1] ?? "", found[2] ?? found[3] ?? "");
    at += found[0].length;
  }
  const end = matchAt(ending, text, at);
  if (end === null) return malformed;
  return { at: at + end[0].length, opens: { name, attributes, isEmpty: end[1] === "/" } };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function findRootProblem(root: Element): string | null {
  const { name, attributes } = root;
  if (localName(name) !== "svg") return "it is not an SVG";
  if (attributes.get("version") !== "1.2") return 'its root element lacks version="1.2"';
  if (attributes.get("baseProfile") !== "tiny-ps") return 'its root element lacks baseProfile="tiny-ps"';
  const placed = ["x", "y"].find((each) => attributes.has(each));
  return placed === undefined ? findElementProblem(root) : `its root element has the attribute ${placed}`;
}

const forbidden: readonly (readonly [what: string, ...names: string[]])[] = [
  ["a script", "script", "handler", "listener"],
  ["an animation", "animate", "animateColor", "animateMotion", "animateTransform", "animation", "set", "discard"],
  ["a bitmap", "image", "feImage"],
  ["foreign content", "foreignObject", "audio", "video", "iframe"],
];
const whatIsForbidden = new Map(forbidden.flatMap(([what, ...names]) => names.map((name) => [name, what])));

function findElementProblem({ name, attributes }: Element): string | null {
  const what = whatIsForbidden.get(localName(name));
  if (what !== undefined) return `it contains ${what} (<${localName(name)}>)`;
  for (const [attribute, value] of attributes) {
    if (/^on[a-z]/i.test(attribute)) return "it has event handlers, which are scripts";
    if (localName(attribute) === "href" && !/^\s*(?:#|$)/.test(value)) return "it refers to an external resource";
    if (attribute === "style") return "it has a style attribute, which SVG Tiny PS does not allow";
    if (localName(attribute) === "href") return `it has ${attribute}, which SVG Tiny PS does not allow`;
    if (/url\(\s{0,20}["']?\s{0,20}[^#"'\s)]/i.test(value)) return "it refers to an external resource";
  }
  return null;
}
