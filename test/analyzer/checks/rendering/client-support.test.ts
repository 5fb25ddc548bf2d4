import { expect, test } from "vitest";
import { clientMix } from "../../../../src/analyzer/checks/rendering/client-mix.ts";
import { clientSupport } from "../../../../src/analyzer/checks/rendering/client-support.ts";
import { support } from "../../../../src/analyzer/checks/rendering/client-support-table.ts";
import { judgedFeatures, whoLacks } from "../../../../src/analyzer/checks/rendering/features.ts";
import { plainText, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const columns = (style: string) => `<div style="${style}"><div>one</div><div>two</div></div>`;
const outlookTables = "<!--[if mso]><table><tr><td><![endif]-->";

testCheck(clientSupport, [
  {
    when: "passes plain HTML",
    facts: shown('<table><tr><td style="color:#333;padding:8px">Hi</table>'),
    says: "The HTML uses no features that are known to fail in common email clients (caniemail data from 2026-05-13).",
  },
  {
    when: "finds a grid",
    facts: shown(columns("display:grid")),
    finds: ["layout"],
    says: "The layout uses `display:grid`, which is not supported in Outlook for Windows.",
  },
  {
    when: "finds a grid set by a rule",
    facts: shown(`<style>.c{display:grid}</style><div class="c"><p>one</p><p>two</p></div>`),
    finds: ["layout"],
  },
  {
    when: "passes flex only for wide screens",
    facts: shown(`<style>@media (min-width:600px){div{display:flex}}</style>${columns("")}`),
  },
  { when: "passes flex with tables for Outlook", facts: shown(`${outlookTables}${columns("display:flex")}`) },
  { when: "passes flex within a cell", facts: shown(`<table><tr><td>${columns("display:flex")}</table>`) },
  { when: "passes flex around one element", facts: shown('<div style="display:flex"><p>one</p></div>') },
  {
    when: "finds words with absolute positions",
    facts: shown('<div style="position:absolute;top:20px">one</div>'),
    finds: ["layout"],
    says: "The layout uses `position:absolute`, which is not supported in Gmail, Outlook for Windows, and Mail.ru.",
  },
  {
    when: "passes an image with an absolute position",
    facts: shown('<p>Hi</p><img src="https://cdn.sender.example/a.png" style="position:absolute">'),
  },
  {
    when: "passes a preview line outside the visible area",
    facts: shown('<div style="position:absolute;left:-9999px">one</div><p>two</p>'),
  },
  {
    when: "finds a video without fallback content",
    facts: shown('<p>Hi</p><video><source src="https://cdn.sender.example/a.mp4"></video>'),
    finds: ["element"],
    fix: "Add a linked image inside `<video>` as a fallback.",
  },
  {
    when: "passes a video with an image inside",
    facts: shown('<video><img src="https://cdn.sender.example/a.png"></video>'),
  },
  {
    when: "passes a hidden video",
    facts: shown('<p>Hi</p><div style="display:none"><video src="https://cdn.sender.example/a.mp4"></video></div>'),
  },
  {
    when: "finds an SVG image",
    facts: shown('<svg width="300" height="80"><path d="M0 0"/></svg>'),
    finds: ["element"],
    fix: "Use a PNG image instead.",
  },
  {
    when: "passes an icon, and an SVG image that is only decorative",
    facts: shown('<svg width="24"><path d="M0 0"/></svg> Call us <svg aria-hidden="true"></svg>'),
  },
  {
    when: "finds a shadow",
    facts: shown('<p style="box-shadow: 0 0 4px #000">Hi'),
    finds: ["decoration"],
    why: "Email clients leave out styles that they don't support, so the message looks different there.",
    says: "Some email clients do not support box-shadow. Support is partial or missing in Gmail, Outlook for Windows, and Yahoo.",
  },
  {
    when: "passes a shadow only for pointers",
    facts: shown("<style>@media (hover:hover){p{box-shadow:0 0 4px #000}}</style><p>Hi"),
  },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

test("the shares of the email clients add up to 100", () => {
  expect(clientMix.reduce((sum, { share }) => sum + share, 0)).toBe(100);
});

test("the support table has a verdict for every judged feature and client family", () => {
  expect([...support.keys()]).toEqual([...judgedFeatures]);
  for (const verdicts of support.values()) expect(verdicts).toMatch(/^[ynau]{10}$/);
});

test("an unknown feature is supported by all clients", () => {
  expect(whoLacks("css-never-heard-of")).toEqual({ clients: [], share: 0 });
});
