// Which elements end others, following the tree construction of the HTML standard (§13.1.2.4, §13.2.6) as far as mail
// needs it.

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

export const voidElements = set(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

export const headElements = set("base basefont bgsound link meta noscript script style template title");

/** Elements that may stay open without an error (§13.1.2.4). html, head and body are handled elsewhere. */
export const endTagOptional = set(
  "body caption colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr",
);

/** In SVG and MathML no element has raw text, and a slash closes an element (§13.2.6.5). */
export const foreignRoots = set("svg math");
/** HTML inside of them. */
export const htmlInForeign = set("foreignobject desc title mi mo mn ms mtext annotation-xml");
export const endsForeign = set(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

/** Elements that begin and end a line. */
export const blockElements = set(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul",
);

type Implied = { readonly closes: ReadonlySet<string>; readonly scope: ReadonlySet<string> };

const cellScope = set("table td th caption button object template html body");
const endsParagraph =
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul";
const tableScope = set("table template html body");

export const closedByOpening: ReadonlyMap<string, Implied> = new Map<string, Implied>([
  ...endsParagraph.split(" ").map((name): [string, Implied] => [name, { closes: set("p"), scope: cellScope }]),
  ["a", { closes: set("a"), scope: cellScope }],
  ["li", { closes: set("li"), scope: set("ul ol menu dir table td th html body") }],
  ["dt", { closes: set("dt dd"), scope: set("dl table td th html body") }],
  ["dd", { closes: set("dt dd"), scope: set("dl table td th html body") }],
  ["option", { closes: set("option"), scope: set("select datalist optgroup html body") }],
  ["optgroup", { closes: set("optgroup option"), scope: set("select html body") }],
  ["td", { closes: set("td th"), scope: set("table tr template html body") }],
  ["th", { closes: set("td th"), scope: set("table tr template html body") }],
  ["tr", { closes: set("tr caption colgroup"), scope: set("table tbody thead tfoot template html body") }],
  ["tbody", { closes: set("tbody thead tfoot caption colgroup"), scope: tableScope }],
  ["thead", { closes: set("tbody thead tfoot caption colgroup"), scope: tableScope }],
  ["tfoot", { closes: set("tbody thead tfoot caption colgroup"), scope: tableScope }],
]);

const tableParts = set("caption colgroup tbody td tfoot th thead tr");
const noScope: ReadonlySet<string> = new Set();

/** An end tag closes nothing above these. */
export function endTagScope(name: string): ReadonlySet<string> {
  if (name === "table" || foreignRoots.has(name)) return noScope;
  return tableParts.has(name) ? tableScope : cellScope;
}
