import { Tokenizer } from "htmlparser2";
import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { maxDepth, maxElements } from "../../../../src/analyzer/mail/html/nesting.ts";
import { fastForwardTo, type HtmlNode, parseTree } from "../../../../src/analyzer/mail/html/tree.ts";

const shape = (node: HtmlNode): string =>
  typeof node === "string" ? node : `${node.name}(${node.children.map(shape).join(" ")})`;
const shapeOf = (html: string) => shape(parseTree(html).root);
const faultsOf = (html: string) => parseTree(html).faults.map(({ kind, tag }) => `${kind} ${tag}`);

test("the HTML parser decodes entities in text and attributes", () => {
  const { root } = parseTree('<p title="a&lt;b&#x26;c">x&amp;y</p>');
  const [paragraph] = root.children as [Exclude<HtmlNode, string>];
  expect(paragraph.attributes.get("title")).toBe("a<b&c");
  expect(paragraph.children).toEqual(["x&y"]);
});

test("the HTML parser closes elements with optional end tags without an error", () => {
  expect(shapeOf("<p>one<p>two<div>x</div>")).toBe("html(p(one) p(two) div(x))");
  expect(shapeOf("<table><tr><td>1<td>2<tr><td>3</table>")).toBe("html(table(tr(td(1) td(2)) tr(td(3))))");
  expect(shapeOf("<ul><li>a<ul><li>b</ul><li>c</ul>")).toBe("html(ul(li(a ul(li(b))) li(c)))");
  expect(faultsOf("<table><tr><td>1<td>2<tr><td>3</table><p>one<p>two<br/><img>")).toEqual([]);
});

test("the HTML parser finds unclosed tags and stray end tags", () => {
  expect(faultsOf("<div><table><tr><td>x</td></tr></div>")).toContain("unclosed table");
  expect(faultsOf("x</table>")).toEqual(["stray-end table"]);
  expect(faultsOf("<table><tr><td></div></td></tr></table>")).toEqual(["stray-end div"]);
  expect(faultsOf('<p id="a">x</p><p id="a">y</p>')).toEqual(["duplicate-id p"]);
  expect(faultsOf("<html><body>x</body></html><p>y</p>")).toEqual(["after-html html"]);
  expect(faultsOf("<html><body>x</body></html>\n<!-- y -->\n")).toEqual([]);
});

test("the HTML parser keeps an end tag inside a table from closing elements around it", () => {
  expect(shapeOf("<div><table><tr><td>a</div>b</td></tr></table></div>")).toBe("html(div(table(tr(td(a b)))))");
});

test("the HTML parser keeps one head and one body, with the attributes of all", () => {
  const { root } = parseTree(
    '<html lang="en"><head><title>t</title></head><body class="a">x<body id="b" class="c">y</html>',
  );
  expect(root.attributes.get("lang")).toBe("en");
  const bodies = root.children.filter((node) => typeof node === "object" && node.name === "body");
  expect(bodies).toHaveLength(1);
  expect(typeof bodies[0] === "object" && Object.fromEntries(bodies[0].attributes)).toEqual({ class: "a", id: "b" });
});

test("a style in noframes, noembed, or an iframe hides nothing after them", () => {
  expect(shapeOf("<noframes><style></noframes><p>a</p><noembed><!--</noembed>b<iframe><p></IFRAME><i>c")).toBe(
    "html(noframes(<style>) p(a) noembed(<!--) b iframe(<p>) i(c))",
  );
});

test("a slash at the end of a tag hides nothing after it", () => {
  expect(shapeOf("<noframes/><style></noframes>a<style/>b</style><br/>c")).toBe(
    "html(noframes(<style>) a style(b) br() c)",
  );
  expect(shapeOf("<style></STYLE/><p>a</p/>b<iframe></iframe/x>c")).toBe("html(style() p(a) b iframe() c)");
});

test("a style in SVG or MathML hides nothing after them", () => {
  expect(shapeOf("<svg><g><style><i></svg>a<math><iframe></math>b")).toBe(
    "html(svg(g(style())) i(a math(iframe()) b))",
  );
  expect(shapeOf("<svg><![CDATA[><!--]]></svg>a<svg><td></svg><style><!--</style>b")).toBe(
    "html(svg(><!--) a svg(td()) style(<!--) b)",
  );
  expect(shapeOf("<svg><title/><style></svg>a<svg/><style></svg>b</style>c")).toBe(
    "html(svg(title() style()) a svg() style(</svg>b) c)",
  );
});

test("a style is text again after what ends SVG, and in the HTML inside of it", () => {
  for (const end of ["<br>", "</p>", "<p></p>"])
    expect(shapeOf(`<svg>${end}<style><!--</style>a`)).toMatch(/ style\(<!--\) a\)$/);
  expect(shapeOf("<svg><desc id=x/><style></svg></style>a")).toBe("html(svg(desc(style(</svg>) a)))");
  expect(shapeOf("<math><mi><style></math></style>a")).toBe("html(math(mi(style(</math>) a)))");
});

test("the HTML parser reads the content of style, script, title, and textarea as text", () => {
  expect(shapeOf("<style><b></style><script><i></script><textarea><p></textarea>")).toBe(
    "html(style(<b>) script(<i>) textarea(<p>))",
  );
});

test("the HTML parser keeps comments and conditions out of the tree, and the doctype separate", () => {
  const tree = parseTree("<!DOCTYPE html><!--[if mso]><p>o</p><![endif]--><![if !mso]>x<![endif]>");
  expect(shape(tree.root)).toBe("html(x)");
  expect(tree.doctype).toBe("DOCTYPE html");
  expect(tree.comments.map(({ text }) => text)).toEqual(["[if mso]><p>o</p><![endif]", "[if !mso]", "[endif]"]);
});

test("the HTML parser handles a comment with an unusual end as browsers do", () => {
  expect(shapeOf("<!-- a --!><p>b</p> -->")).toBe("html(p(b)  -->)");
  expect(shapeOf("<![CDATA[><p>b</p>]]>")).toBe("html(p(b) ]]>)");
  expect(shapeOf("<!--><p>b</p>")).toBe("html(p(b))");
});

test("the HTML parser limits depth, elements, and attributes, and says so", () => {
  const deep = parseTree("<div>".repeat(100_000));
  expect(deep.cuts).toContain("depth");
  let depth = 0;
  for (let node: HtmlNode | undefined = deep.root; typeof node === "object"; node = node.children.at(-1)) depth++;
  expect(depth).toBeLessThanOrEqual(maxDepth + 1);
  expect(parseTree("<b>x</b>".repeat(maxElements + 5)).elementCount).toBe(maxElements);
  const many = parseTree(`<p ${Array.from({ length: 10_000 }, (_, index) => `a${index}`).join(" ")}>`);
  expect(many.cuts).toContain("attributes");
});

test("the HTML parser skips to the same position as the tokenizer's own fastForwardTo", () => {
  type Forward = (this: Place, code: number) => boolean;
  type Place = { index: number; buffer: string; offset: number };
  const { fastForwardTo: own } = Tokenizer.prototype as unknown as { fastForwardTo: Forward };
  const dice = createDice(3);
  for (let round = 0; round < 2_000; round++) {
    const buffer = Array.from({ length: dice(12) }, () => "<->\u2d2d"[dice(4)]).join("");
    const code = "<->\u3c3c".charCodeAt(dice(4));
    const index = dice(buffer.length + 1) - 1;
    const [theirs, ours] = [own, fastForwardTo].map((method) => {
      const place = { index, buffer, offset: 0 };
      return { found: method.call(place, code), index: place.index };
    });
    expect({ buffer, code, ...ours }).toEqual({ buffer, code, ...theirs });
  }
});
