import { textContrast } from "../../../../src/analyzer/checks/accessibility/text-contrast.ts";
import { textSize } from "../../../../src/analyzer/checks/accessibility/text-size.ts";
import { emptyMessage, plainText, prose, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const words = prose(20);
const colored = (color: string, text = words) => `<p style="color:${color}">${text}</p>`;
const sized = (px: number, text = words) => `<p style="font-size:${px}px">${text}</p>`;
const button = (style: string) =>
  `<a href="https://sender.example/" style="background:#22aa66;color:#ffffff;${style}">Shop now</a>`;
const unsubscribe = (style: string) =>
  `<a href="https://sender.example/unsubscribe" style="${style}">Unsubscribe from all the letters that we send to you each week</a>`;

testCheck(textContrast, [
  { when: "passes dark gray on white", facts: shown(colored("#595959")), says: "Lowest text contrast: 7.0:1." },
  {
    when: "finds light gray on white",
    facts: shown(`<p>${words}${colored("#999", "Only until Sunday you get two shoes at the price of one.")}`),
    finds: ["low"],
    says: '"Only until Sunday you get two shoes at the price of one." has a contrast ratio of 2.8:1. The minimum is 4.5:1.',
    fix: "Use #747474 or a darker color on #ffffff.",
  },
  {
    when: "finds dark gray on black",
    facts: shown(`<div style="background:#000">${colored("#555")}</div>`),
    finds: ["low"],
  },
  {
    when: "passes large text in light gray",
    facts: shown(`<h1>${colored("#949494")}</h1>`),
    says: "Lowest text contrast: 3.0:1, in large text, which needs 3:1.",
  },
  {
    when: "finds a white label on a green button",
    facts: shown(`<p>${words}</p>${button("font-size:16px")}`),
    finds: ["low"],
    says: '"Shop now" has a contrast ratio of 3.0:1. The minimum is 4.5:1.',
    fix: "Use #1b8550 or a darker background behind #ffffff.",
  },
  { when: "passes the same label in large, bold letters", facts: shown(button("font-size:19px;font-weight:bold")) },
  {
    when: "passes light separators between words",
    facts: shown(`<p>${words} <span style="color:#bbb">|</span> ${words} <span style="color:#bbb">•</span></p>`),
    says: "Lowest text contrast: 21.0:1.",
  },
  {
    when: "finds a light word after light separators",
    facts: shown(`<p>${words}${'<span style="color:#bbb">|</span> '.repeat(4)}${colored("#bbb", "Imprint")}</p>`),
    finds: ["low"],
    says: '"Imprint" has a contrast ratio of 1.9:1. The minimum is 4.5:1.',
  },
  {
    when: "passes a light preheader that is hidden",
    facts: shown(`<div style="max-height:0;overflow:hidden">${colored("#ddd", "See our shoes")}</div><p>${words}</p>`),
  },
  {
    when: "finds one light word among sixty colors",
    facts: shown(
      `${Array.from({ length: 60 }, (_, at) => colored(`#0000${(at + 16).toString(16)}`)).join("")}${colored("#bbb", "Imprint")}`,
    ),
    finds: ["low"],
  },
  {
    when: "passes dark text next to text on an image",
    facts: shown(`<p>Hello Bob</p><div style="background:url(a.png)">${colored("#fff", "Summer")}</div>`),
    says: "Lowest text contrast: 21.0:1. 6 characters on images or in unknown colors were not judged.",
  },
  {
    when: "does not apply to text on an image",
    facts: shown(`<div style="background:url(a.png)">${colored("#fff")}</div>`),
    outcome: "not-applicable",
  },
  {
    when: "leaves a hidden unsubscribe link to another check",
    facts: shown(`<p>${words}</p>${unsubscribe("color:#ddd")}`),
  },
  {
    when: "finds a gray unsubscribe link",
    facts: shown(`<p>${words}</p>${unsubscribe("color:#aaa")}`),
    finds: ["low"],
  },
  { when: "does not apply to an empty message", facts: emptyMessage, outcome: "not-applicable" },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

testCheck(textSize, [
  { when: "passes a small footer", facts: shown(sized(14) + sized(11, "Sender Ltd.")), says: "Most text is 14 px." },
  {
    when: "finds text of 10 px",
    facts: shown(sized(16, "Hi") + sized(10)),
    finds: ["small"],
    says: "98% of the text is smaller than 12 px, most often 10 px.",
  },
  {
    when: "leaves a hidden unsubscribe link to another check",
    facts: shown(`<p>Hello Bob</p>${unsubscribe("font-size:6px")}`),
  },
  { when: "does not apply to a message of only images", facts: shown('<img src="a.png">'), outcome: "not-applicable" },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);
