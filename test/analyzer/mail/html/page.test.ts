import { expect, test } from "vitest";
import { readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";

const read = (text: string) => toHtml(readPage(text), { text });
const hidden = (text: string) => read(text).hiddenRuns.map(({ how, text, exempt }) => `${how}: ${text} (${exempt})`);
const words = "These words are not for the reader's eyes but for the filter's. ".repeat(5).trim();
const lead = "<p>Dear reader, here stands what this message has to say to you, in a few plain words.</p>";

test("the HTML parser returns the visible text with its line breaks", () => {
  const html = read(
    "<title>t</title><h1>Hello</h1><p>one\n  two<br>three</p><table><tr><td>a<td>b</table><script>x</script>",
  );
  expect(html.visibleText).toBe("Hello\none two\nthree\na\nb");
  expect(html.title).toBe("t");
});

test("the HTML parser leaves code and quoted messages out of the author's own text", () => {
  const html = read("<p>Hi</p><code>{{x}}</code><blockquote>old</blockquote><p style='font-family:monospace'>m</p>");
  expect(html.ownText).toBe("Hi");
  expect(html.visibleText).toContain("{{x}}");
});

test.each([
  ["display", `<div style="display:none">${words}</div>`],
  ["display", `<style>.h{DISPLAY:none !important}</style><div class="a h" style="display:block">${words}</div>`],
  ["display", `<style>#x td > p{display:none}</style><table id=x><tr><td><p>${words}</table>`],
  ["display", `<div hidden>${words}</div>`],
  ["visibility", `<div style="visibility:hidden"><p>${words}</p></div>`],
  ["opacity", `<div style="opacity:0">${words}</div>`],
  ["font-size", `<span style="font-size:1px">${words}</span>`],
  ["font-size", `<span style="font:normal 0px/0 Arial">${words}</span>`],
  ["off-screen", `<div style="position:absolute;left:-9999px">${words}</div>`],
  ["off-screen", `<div style="text-indent:-999em">${words}</div>`],
  ["off-screen", `<div style="margin-top:20000px">${words}</div>`],
  ["height", `<div style="max-height:0;overflow:hidden">${words}</div>`],
  ["contrast", `<font color="white">${words}</font>`],
  ["contrast", `<table bgcolor="#336699"><tr><td style="color:#336699">${words}</table>`],
  ["contrast", `<p style="color:transparent">${words}</p>`],
])("the HTML parser finds text hidden by %s", (how, html) => {
  const [run] = read(lead + html).hiddenRuns;
  expect(run).toMatchObject({ how, exempt: null });
  expect(run?.chars).toBeGreaterThan(150);
  expect(read(lead + html).visibleText).not.toContain("filter");
});

test.each([
  ["ordinary text", `<p>${words}</p>`],
  ["white text on a dark background", `<div style="background:#222"><p style="color:#fff">${words}</p></div>`],
  ["white text on an image", `<div style="background-image:url(x.png)"><p style="color:#fff">${words}</p></div>`],
  ["an unknown color", `<p style="color:var(--text)">${words}</p>`],
  ["a child made visible again", `<div style="visibility:hidden"><p style="visibility:visible">${words}</p></div>`],
  ["a rule for a hovered link", `<style>a:hover{display:none}</style><a href="x">${words}</a>`],
  ["a rule for print", `<style>@media print{p{display:none}}</style><p>${words}</p>`],
  [
    "a rule only for narrow screens",
    `<style>@media only screen and (max-width:600px){p{display:none}}</style><p>${words}</p>`,
  ],
])("the HTML parser treats %s as visible", (_, html) => {
  expect(read(lead + html).hiddenRuns).toEqual([]);
});

test.each(["@media screen", "@media only screen ", "@media all", "@media screen, print"])(
  "the HTML parser applies a hiding rule under %s",
  (condition) => {
    expect(hidden(`<style>${condition}{p{display:none}}</style><p>${words}</p>${lead}`)).toHaveLength(1);
  },
);

test("the HTML parser ignores the preview line, blocks for small screens, and text that only Outlook hides", () => {
  expect(hidden(`<div style="display:none">Ten new offers&zwnj;&nbsp;&zwnj;&nbsp;</div>${lead}`)).toEqual([
    "display: Ten new offers (preheader)",
  ]);
  const mobile = "<style>.m{display:none}@media (max-width:600px){.m{display:block!important}}</style>";
  expect(hidden(`${mobile}${lead}<div class=m>${words}</div>`)[0]).toContain("(media)");
  expect(hidden(`${lead}<a href=x style="mso-hide:all">Button</a>`)).toEqual(["mso-hide: Button (mso)"]);
  expect(hidden(`<div style="display:none">${words}</div>${lead}`)[0]).toContain("(null)");
});

test("the HTML parser returns the preview text that an inbox shows after the subject", () => {
  expect(read(`<div style="display:none">Preview line</div>${lead}`).preview).toMatchObject({ from: "hidden" });
  expect(read(`<a href=x>View online</a>${lead}`).preview?.from).toBe("link");
  expect(read("<p>Hi <b>Ann</b>, our <i>news</i>.</p><b>Read</b> <b>more</b>").preview?.text).toBe(
    "Hi Ann, our news. Read more",
  );
  const { preview } = read(`<img src=x alt="Logo of ours"><p>Three offers</p>`);
  expect(preview).toEqual({ from: "alt", text: "Logo of ours Three offers" });
  expect(read(lead).preview?.from).toBe("visible");
});

test("the HTML parser groups text by its style", () => {
  const html = read(
    '<p style="font-size:10px;color:#999">small and grey</p><p>plain</p><p style="font-size:10px;color:#999">more</p>',
  );
  expect(html.textStyles).toEqual([
    expect.objectContaining({
      chars: 16,
      fontPx: 10,
      color: "#999999",
      background: "#ffffff",
      contrast: 2.85,
      isLarge: false,
    }),
    expect.objectContaining({ chars: 5, fontPx: 16, contrast: 21 }),
  ]);
});

test("the HTML parser follows specificity, order, and importance", () => {
  const sizeOf = (css: string, style = "") =>
    read(`<style>${css}</style><p id=i class=c style="${style}">x`).textStyles[0]?.fontPx;
  expect(sizeOf("#i{font-size:11px} .c{font-size:12px} p{font-size:13px}")).toBe(11);
  expect(sizeOf(".c{font-size:12px} p.c{font-size:13px} .c{font-size:14px}")).toBe(13);
  expect(sizeOf(".c{font-size:12px} .c{font-size:14px}")).toBe(14);
  expect(sizeOf(".c{font-size:12px}", "font-size:9px")).toBe(9);
  expect(sizeOf(".c{font-size:12px!important}", "font-size:9px")).toBe(12);
});

test("the HTML parser counts active content", () => {
  const html = read(
    `<base href="https://a.example/"><meta http-equiv=refresh content="0;url=x"><script>1</script><script type="application/ld+json">{"@type":"Invoice"}</script><iframe></iframe><form><input></form><p onclick="x()">a</p><a href="java&#9;script:alert(1)">b</a><a href="javascript:void(0)">c</a>`,
  );
  expect(html.active).toEqual({
    scripts: 1,
    scriptLinks: 1,
    frames: ["iframe"],
    base: "https://a.example/",
    refresh: "0;url=x",
    forms: 2,
    handlers: { elements: 1, names: ["onclick"] },
  });
  expect(html.structuredTypes).toEqual(["Invoice"]);
});

test("the HTML parser distinguishes layout tables from data tables", () => {
  const html = read(
    '<table role="presentation"><tr><td><table><tr><td>x</table></table><table><tr><th>a</th></tr><tr><td>1</td></tr></table>',
  );
  expect(html.tables).toEqual({ layout: 2, layoutWithRole: 1, withHeaders: 1 });
});

test("the HTML parser reads the language, direction, viewport, and color scheme", () => {
  const html = read(
    '<html><head><meta name=viewport content="width=device-width"><meta name="color-scheme" content="light dark"></head><body><div lang="ar" dir="RTL">x</div></body></html>',
  );
  expect(html).toMatchObject({ lang: "ar", dir: "rtl", viewport: "width=device-width", colorScheme: "light dark" });
  expect(read("<p>x</p>")).toMatchObject({ lang: null, dir: null, viewport: null, colorScheme: null, doctype: null });
});

test.each([
  ["<meta charset=utf-8>", "utf-8"],
  ['<meta http-equiv="content-type" content="text/html; CHARSET = \'koi8-r\'">', "koi8-r"],
  ['<meta http-equiv="Content-Type" content="text/html"><meta charset="utf-8">', "utf-8"],
  ["<meta charset=a><meta charset=b>", "a"],
  ["<p>x</p>", null],
])("the HTML parser reads the character set from %s", (page, charset) => {
  expect(read(page).charset).toBe(charset);
});

test("the HTML parser finds where styles are and what they load", () => {
  const { styles, styleBytes, linkedSheets } = read(
    '<html><head><link rel=stylesheet href="theme.css"><style>@import url("https://fonts.googleapis.com/css?family=A");@media (max-width:600px){a{b:c}}</style></head><body><style media="(min-width:9px)">d{e:f}</style></body></html>',
  );
  expect(styles).toMatchObject({ inHead: 1, inBody: 1, rules: 2, hasMediaQueries: true });
  expect(styles.imports).toEqual([{ url: "https://fonts.googleapis.com/css?family=A", isFont: true }]);
  expect(linkedSheets).toEqual([{ href: "theme.css", isFont: false }]);
  expect(styleBytes).toBeGreaterThan(80);
});

test("the HTML parser finds unbalanced conditional comments with their lines", () => {
  expect(
    read("<!--[if mso]><p>x</p><![endif]--><!--[if !mso]><!-->y<!--<![endif]-->").comments.conditionFaults,
  ).toEqual([]);
  expect(read("a\n<!--[if mso]><p>x</p>-->").comments.conditionFaults).toEqual([{ line: 2, problem: "not-closed" }]);
  expect(read("a\n\n<!--[if mso]>x<!--[if mso]>y<![endif]-->").comments.conditionFaults).toEqual([
    { line: 3, problem: "not-closed" },
  ]);
  expect(read("<![endif]-->").comments.conditionFaults).toEqual([{ line: 1, problem: "not-opened" }]);
  expect(read("<!-- &lt;!--[if mso]><p>left out</p><![endif] -->").comments.conditionFaults).toEqual([]);
});

test("the HTML parser finds the line of each error, the widest fixed width, and control characters", () => {
  const html = read("<p>x</p>\n<table width=900><tr><td>caf\u0092\n");
  expect(html.faults).toEqual([{ line: 2, kind: "unclosed", tag: "table" }]);
  expect(html.widest).toEqual({ widthPx: 900, tag: "table" });
  expect(html.controlCharacters).toEqual({ count: 1, first: "U+0092" });
  expect(read('<table width=900 style="max-width:600px">x</table>').widest?.widthPx).toBe(600);
  expect(read('<table width=900 style="max-width:100%">x</table>').widest).toBeNull();
});

test.each([
  ["640", 640],
  ["640px", 640],
  [" 640.5 px ", 640],
  ["640 %", undefined],
  ["100%", undefined],
])("a width of %j is %j pixels", (width, widthPx) => {
  expect(read(`<table width="${width}"><tr><td>x</table>`).widest?.widthPx).toBe(widthPx);
});
