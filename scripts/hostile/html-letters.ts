// HTML and CSS: deep, wide, and with rules that match many elements.

import { html, type Letter, text } from "./compose.ts";

export const htmlLetters: readonly Letter[] = [
  { name: "100,000 links", write: () => html(links(100_000)) },
  { name: "20,000 links that lead to links", write: () => html(wrappedLinks(20_000)) },
  { name: "100,000 links in plain text", write: () => text("", "http://a.example/ ".repeat(100_000)) },
  { name: "an address of 1 MB in plain text", write: () => text("", `https://${"a.b-".repeat(250_000)}`) },
  { name: "10 MB of HTML on one line", write: () => html("<b>x</b>".repeat(1_250_000)) },
  { name: "100,000 elements inside each other", write: () => html("<div>".repeat(100_000)) },
  { name: "100,000 links inside each other", write: () => html("<a href=https://a.example>x".repeat(50_000)) },
  { name: "100,000 tables inside each other", write: () => html("<table><tr><td>".repeat(100_000)) },
  { name: "200,000 ends without a beginning", write: () => html(`<b>${"</i>".repeat(200_000)}`) },
  { name: "1 MB of one tag", write: () => html(`<a ${'b="c" '.repeat(170_000)}>`) },
  { name: "1 MB of different attributes", write: () => html(`<a ${each(90_000, (index) => `b${index}=c `)}>`) },
  { name: "5 MB that opens and never closes", write: () => html("<".repeat(5_000_000)) },
  { name: "5 MB of entities", write: () => html("&amp".repeat(1_250_000)) },
  { name: "100,000 comments that open a condition", write: () => html("<!--[if mso]>".repeat(80_000)) },
  { name: "50,000 conditions", write: () => html("<!--[if mso]><![endif]-->".repeat(40_000)) },
  {
    name: "20,000 style rules for 20,000 elements",
    write: () => html(`<style>${".a b>c~d{color:red}".repeat(20_000)}</style>${'<b class="a">x</b>'.repeat(20_000)}`),
  },
  {
    name: "deep selectors for deep elements",
    write: () => html(`<style>${`${"i b ".repeat(9)}u{color:red}`.repeat(5_000)}</style>${"<i><u>x".repeat(50_000)}`),
  },
  {
    name: "hidden texts under 5,000 conditions",
    write: () =>
      html(
        `<style>.h{display:none}@media (max-width:9px){${".h{color:red}".repeat(5_000)}}</style>${"<b class=h>x</b><i>y</i>".repeat(20_000)}`,
      ),
  },
  {
    name: "35,000 different inline styles",
    write: () => html(each(35_000, (index) => `<b style="color:#${hex(index)};top:1px">x</b>`)),
  },
  { name: "60,000 style elements", write: () => html("<style>a{}</style>".repeat(60_000)) },
  { name: "60,000 style elements apart", write: () => html("<style>a{}</style><b>x</b>".repeat(40_000)) },
  { name: "one style of 1 MB", write: () => html(`<b style="${"color:red;".repeat(100_000)}">x</b>`) },
  {
    name: "100,000 conditions inside each other",
    write: () => html(`<style>${"@media (max-width:1px){".repeat(45_000)}`),
  },
  { name: "a style sheet that opens and never closes", write: () => html(`<style>${"a{b:c(".repeat(300_000)}`) },
  { name: "a style sheet of quotes", write: () => html(`<style>${"a{b:'\\".repeat(140_000)}`) },
  { name: "a style sheet of escapes", write: () => html(`<style>${"a{\\75 rl:b}".repeat(90_000)}</style>`) },
  { name: "a data: picture of 1 MB", write: () => html(`<img src="data:image/png;base64,${"A".repeat(1_000_000)}">`) },
  {
    name: "10,000 data: pictures in styles",
    write: () => html("<b style=\"background:url('data:image/png;base64,AAAA')\">x</b>".repeat(15_000)),
  },
  { name: "20,000 pictures", write: () => html('<img src="https://a.example/?u=1" width=1 height=1>'.repeat(20_000)) },
  { name: "a srcset of 1 MB", write: () => html(`<img srcset="${"a 1x, ".repeat(160_000)}">`) },
  { name: "1 MB of invisible characters", write: () => html("<b>a</b>&zwnj;&shy;\u200b".repeat(45_000)) },
  { name: "1 MB of spaces and one word", write: () => html(`${" ".repeat(500_000)}x${"\n".repeat(500_000)}`) },
  { name: "100,000 ids that are the same", write: () => html("<b id=a>x</b>".repeat(75_000)) },
];

function links(count: number): string {
  return each(count, (index) => `<a href="https://h${index}.example/?u=${index}">https://other${index}.example</a>`);
}

function wrappedLinks(count: number): string {
  return each(count, (index) => `<a href="https://safelinks.protection.outlook.com/?url=${deep(index, 3)}">x</a>`);
}

function deep(index: number, depth: number): string {
  const inner = depth === 0 ? `https://h${index}.example` : `https://l.facebook.com/l.php?u=${deep(index, depth - 1)}`;
  return encodeURIComponent(inner);
}

function each(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join("");
}

function hex(index: number): string {
  return index.toString(16).padStart(6, "0");
}
