import { describe, expect, test } from "vitest";
import { similarityOf, sketchStructure } from "../../../../src/analyzer/mail/html/structure.ts";
import { parseTree } from "../../../../src/analyzer/mail/html/tree.ts";

const sketch = (html: string) => sketchStructure(parseTree(html));

function newsletter({ articles = 3, title = "Hello", width = 600 } = {}): string {
  const article = (number: number) =>
    `<tr><td class="article" style="padding:12px;color:#${number}"><h2 class="a-title">${title} ${number}</h2><p>Text <b>${number}</b></p><a href="https://x.example/${number}">Read</a></td></tr>`;
  return `<html><body class="mail"><table class="outer" width="100%"><tr><td align="center">
    <table class="inner" width="${width}" style="max-width:${width}px;background-color:#fff">
    <tr><td class="logo" style="padding:24px"><img src="cid:logo"></td></tr>
    ${Array.from({ length: articles }, (_, number) => article(number)).join("")}
    <tr><td class="foot" style="padding:8px"><div class="legal">Unsubscribe</div></td></tr></table></td></tr></table></body></html>`;
}

describe("sketchStructure", () => {
  test("sketchStructure is the same for other texts, links, and numbers of articles", () => {
    const [one, other] = [sketch(newsletter()), sketch(newsletter({ articles: 9, title: "Bye" }))];
    expect(similarityOf(one, other)).toBe(1);
  });

  test("sketchStructure stays similar if one section is restyled", () => {
    const restyled = newsletter().replace('class="logo" style="padding:24px"', 'class="logo" style="padding:32px"');
    expect(similarityOf(sketch(newsletter()), sketch(restyled))).toBeGreaterThan(0.7);
  });

  test("sketchStructure differs for another template", () => {
    const other =
      '<body><div class="container" style="padding:20px"><h1 class="t">Hi</h1><section class="b">Text</section></div></body>';
    expect(similarityOf(sketch(newsletter()), sketch(other))).toBeLessThan(0.3);
  });

  test("sketchStructure has a limited size, whatever the HTML is", () => {
    const hostile = Array.from({ length: 20_000 }, (_, index) => `<div class="c${index}${"x".repeat(500)}">`).join("");
    expect(sketch(hostile).length).toBeLessThan(200);
    expect(similarityOf(sketch(hostile), "not base64 at all")).toBe(0);
  });
});
