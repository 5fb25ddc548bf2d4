import { hiddenText } from "../../../../src/analyzer/checks/content/hidden-text.ts";
import { testCheck } from "../test-check.ts";
import { given } from "./given.ts";

const words = (chars: number) => "abcd ".repeat(chars / 4);

testCheck(hiddenText, [
  { when: "passes a message without hidden text", facts: given("<p>Hello</p>") },
  ...["display:none", "color:#fff;background:#fff", "font-size:0", "visibility:hidden"].map((style) => ({
    when: `neither praises nor faults a preview line (${style})`,
    facts: given(`<div style="${style}">${words(120)}</div><p>Hello</p>`),
    outcome: "not-applicable" as const,
  })),
  ...["display:none", "color:#fff;background:#fff", "font-size:0", "visibility:hidden", "opacity:0"].map((style) => ({
    when: `finds 90 characters behind the beginning (${style})`,
    facts: given(`<p>${words(100)}</p><p style="${style}">${"cheap pills ".repeat(8)}</p>`),
    finds: ["some"] as const,
  })),
  ...["display:none", "color:#fff;background:#fff", "font-size:0"].map((style) => ({
    when: `finds 88 characters behind the first words of a letter (${style})`,
    facts: given(`<p>Hi Bob, see you.</p><p style="${style}">${"cheap pills ".repeat(8)}</p><p>Ann</p>`),
    finds: ["some"] as const,
  })),
  {
    when: "ignores the preview line after the link to the web version",
    facts: given(
      `<p>Trouble reading? <a href="https://own.example/v">View online</a></p><div style="display:none">${words(120)}</div><p>${words(200)}</p>`,
    ),
    outcome: "not-applicable",
  },
  {
    when: "finds text in the color of its background",
    facts: given(`<p>Hello Ada</p><div style="background:#fff;color:#fff">${words(400)}</div>`),
    finds: ["hidden"],
  },
  {
    when: "adds up text hidden in several ways",
    facts: given(
      `<p>${words(100)}</p><p style="font-size:0">${words(80)}</p><p>x</p><p style="display:none">${words(80)}</p>`,
    ),
    finds: ["hidden"],
    says: `The HTML hides 160 characters of text (font size near 0 and display:none): "${words(80).trim()}".`,
  },
  {
    when: "ignores a few hidden characters",
    facts: given(`<p>${words(100)}</p><p style="display:none">${words(40)}</p>`),
    outcome: "not-applicable",
  },
  {
    when: "passes blocks for narrow screens and for Outlook",
    facts: given(
      `<style>.m{display:none}@media(max-width:600px){.m{display:block}}</style><p>${words(100)}</p>
       <div class="m">${words(400)}</div><div style="mso-hide:all">${words(400)}</div>`,
    ),
    says: "No suspicious hidden text found.",
  },
  {
    when: "leaves a hidden unsubscribe link to another check",
    facts: given(
      `<p>${words(100)}</p><p style="display:none"><a href="https://own.example/u">Unsubscribe ${words(200)}</a></p>`,
    ),
    outcome: "not-applicable",
  },
]);
