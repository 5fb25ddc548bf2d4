import { preheader } from "../../../../src/analyzer/checks/content/preheader.ts";
import { listPost } from "../compliance/facts.ts";
import { testCheck } from "../test-check.ts";
import { given, kindOf } from "./given.ts";

const padding = "&zwnj;&nbsp;".repeat(50);

const letter = (html: string) => ({ ...given(html), ...kindOf("bulk") });

testCheck(preheader, [
  {
    when: "passes a hidden, padded sentence",
    facts: letter(
      `<div style="display:none">Save a third on all shoes until Sunday.${padding}</div><p>View online</p>`,
    ),
    says: 'The preview text is "Save a third on all shoes until Sunday. View online".',
  },
  { when: "passes a visible sentence", facts: letter("<p>Your shoes are on their way to you.</p>") },
  {
    when: "finds a link to the web version",
    facts: letter(`<p>View this email in your browser</p><p>Hello</p>`),
    finds: ["wasted"],
    says: 'The preview text is "View this email in your browser Hello", which is a "view in browser" line.',
  },
  {
    when: "finds a link to the web version in another language",
    facts: letter("<p>Im Browser ansehen</p><p>Hallo</p>"),
    finds: ["wasted"],
  },
  {
    when: "finds the alt text of an image",
    facts: letter(
      `<img src="https://own.example/logo.png" width="120" height="40" alt="Own shop"><p>Hello, here is the news.</p>`,
    ),
    finds: ["wasted"],
    says: 'The preview text is "Own shop Hello, here is the news.", which starts with the alt text of an image.',
  },
  {
    when: "finds a URL",
    facts: letter(`<a href="https://own.example/">Shop</a> <p>Hello, here is the news.</p>`),
    finds: ["wasted"],
    says: 'The preview text is "Shop Hello, here is the news.", which starts with a link.',
  },
  {
    when: "passes a sentence that is a link",
    facts: letter(
      `<a href="https://own.example/"><p>Save a third on all shoes</p><p>until Sunday at noon.</p></a><p>Hello</p>`,
    ),
  },
  {
    when: "leaves a message that is one image to another check",
    facts: letter(`<img src="https://own.example/p.png" width="600" height="900" alt="Sale">`),
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a post to a mailing list, which needs no preview line",
    facts: { ...given("<p>View online</p>"), kind: listPost },
    outcome: "not-applicable",
  },
  { when: "does not judge HTML without text", facts: letter("<p></p>"), outcome: "not-applicable" },
]);
