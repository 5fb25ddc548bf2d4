// Whether a logo keeps to SVG Tiny PS (draft-svg-tiny-ps-abrotman): text → what forbids it, or null. Read by hand and to
// the end, because a stranger's file needs no tree: entities are never expanded, and a document type that declares some is
// told and read no further. Only what the profile rules out for certain is a fault.

type Element = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** It ends where it begins. */
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
  if (seen.elements === 0) return "it is no SVG";
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
  if (text.startsWith("<?xml-stylesheet", at)) return { problem: "it asks for a style sheet" };
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
  return text.slice(at, end).includes("[")
    ? { problem: "its document type declares things of its own" }
    : { at: end + 1 };
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
  if (localName(name) !== "svg") return "it is no SVG";
  if (attributes.get("version") !== "1.2") return 'its root does not say version="1.2"';
  if (attributes.get("baseProfile") !== "tiny-ps") return 'its root does not say baseProfile="tiny-ps"';
  const placed = ["x", "y"].find((each) => attributes.has(each));
  return placed === undefined ? findElementProblem(root) : `its root has the attribute ${placed}`;
}

const forbidden: readonly (readonly [what: string, ...names: string[]])[] = [
  ["a script", "script", "handler", "listener"],
  [
    "an animation",
    "animate",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "animation",
    "set",
    "discard",
  ],
  ["a bitmap", "image", "feImage"],
  ["foreign content", "foreignObject", "audio", "video", "iframe"],
];
const whatIsForbidden = new Map(forbidden.flatMap(([what, ...names]) => names.map((name) => [name, what])));

function findElementProblem({ name, attributes }: Element): string | null {
  const what = whatIsForbidden.get(localName(name));
  if (what !== undefined) return `it holds ${what} (<${localName(name)}>)`;
  for (const [attribute, value] of attributes) {
    if (/^on[a-z]/i.test(attribute)) return "it reacts to events, which only a script does";
    if (localName(attribute) === "href" && !/^\s*(?:#|$)/.test(value))
      return "it refers to something outside itself";
    if (attribute === "style") return "it has a style attribute, which the profile's schema does not allow";
    if (localName(attribute) === "href")
      return `it has ${attribute}, which the profile's schema does not allow`;
    if (/url\(\s{0,20}["']?\s{0,20}[^#"'\s)]/i.test(value)) return "it refers to something outside itself";
  }
  return null;
}
