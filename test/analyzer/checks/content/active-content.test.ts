import { activeContent } from "../../../../src/analyzer/checks/content/active-content.ts";
import { testCheck } from "../test-check.ts";
import { given } from "./given.ts";

testCheck(activeContent, [
  {
    when: "passes what email clients keep",
    facts: given(
      `<meta charset="utf-8"><base target="_blank"><script type="application/ld+json">{}</script>
       <video src="https://own.example/v.mp4"><img src="https://own.example/v.png"></video>
       <a href="https://own.example/" style="display:inline-block">Buy</a>`,
    ),
  },
  { when: "finds a script", facts: given("<script>alert(1)</script>"), finds: ["script"] },
  { when: "finds a javascript: URL", facts: given(`<a href="javascript:x()">x</a>`), finds: ["script"] },
  { when: "does not treat a URL that does nothing as a script", facts: given(`<a href="javascript:void(0)">x</a>`) },
  {
    when: "finds each kind of frame",
    facts: given(`<iframe src="https://own.example/"></iframe><object></object>`),
    finds: ["frame", "frame"],
    says: "The HTML contains <iframe>.",
  },
  {
    when: "finds what changes link targets",
    facts: given(
      `<base href="https://x.test/"><meta http-equiv="refresh" content="0;url=https://x.test/"><a href="/b">b</a>`,
    ),
    finds: ["redirect", "redirect"],
    says: 'The HTML changes where its links go: <base href="https://x.test/">.',
  },
  {
    when: "ignores a base element that no URL needs",
    facts: given(`<base href="https://x.test/"><a href="https://own.example/">a</a><img src="cid:1">`),
  },
  {
    when: "finds a form",
    facts: given(`<form action="https://own.example/"><input name="q"></form>`),
    finds: ["form"],
    says: "The HTML contains a form (<form>).",
  },
  {
    when: "does not treat the inputs of menus and carousels as a form",
    facts: given(`<label><input type="checkbox"> Menu</label><INPUT type="Radio"><input type="hidden">`),
  },
  {
    when: "finds an input that belongs to a form",
    facts: given(`<form action="https://own.example/"><input type="checkbox"></form>`),
    finds: ["form"],
  },
  {
    when: "allows a form in an AMP part, which only AMP clients show",
    facts: given(`<form action="https://own.example/"></form>`, { other: "text/x-amp-html" }),
  },
  {
    when: "finds event handlers",
    facts: given(`<p onclick="x()" onmouseover="x()">a</p><p onclick="x()">b</p>`),
    finds: ["handler"],
    says: "The HTML has event handler attributes (onclick and onmouseover). Affected elements: 2.",
  },
]);
