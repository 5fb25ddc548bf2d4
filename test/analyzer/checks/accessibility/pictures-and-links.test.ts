import { imageAlt } from "../../../../src/analyzer/checks/accessibility/image-alt.ts";
import { linkNames } from "../../../../src/analyzer/checks/accessibility/link-names.ts";
import { plainText, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const logo = "https://cdn.sender.example/blue-shoe.png";

testCheck(imageAlt, [
  {
    when: "a picture with a text and one that decorates",
    facts: shown(`<img src="${logo}" alt="Blue shoe"><img src="https://cdn.sender.example/a.png" alt="">`),
    says: "All images have an alt attribute (2 images).",
  },
  {
    when: "no alt",
    facts: shown(`<img src="${logo}">`),
    finds: ["missing"],
    says: `The image ${logo} has no alt text.`,
    fix: 'Add `alt="Blue shoe"`, or `alt=""` for a decorative image.',
  },
  {
    when: "no alt, and a name that says nothing",
    facts: shown('<img src="https://cdn.sender.example/9f8a7bc23d.png">'),
    finds: ["missing"],
    fix: 'Add `alt="What the image shows"`, or `alt=""` for a decorative image.',
  },
  { when: "one picture in three places", facts: shown(`<img src="${logo}">`.repeat(3)), finds: ["missing"] },
  {
    when: "a tracking pixel, a spacer, a line and a hidden picture",
    facts: shown(
      '<p>Hi</p><img src="https://cdn.sender.example/spacer.gif"><img src="https://cdn.sender.example/x.png" width="600" height="1">' +
        '<img src="https://cdn.sender.example/h.png" style="display:none"><img src="https://t.sender.example/open?id=1234567890abcdef" width="1" height="1">',
    ),
    outcome: "not-applicable",
  },
  {
    when: "a link that is only a picture without text",
    facts: shown(`<a href="https://sender.example/"><img src="${logo}" alt=""></a>`),
    finds: ["linked-empty"],
    says: "The link to https://sender.example/ contains only an image without alt text.",
  },
  {
    when: "a link that has a label",
    facts: shown(`<a href="https://sender.example/" aria-label="Shop"><img src="${logo}" alt=""></a>`),
  },
  {
    when: "a link of picture and words",
    facts: shown(`<a href="https://sender.example/"><img src="${logo}" alt=""> Shop</a>`),
  },
  {
    when: "a file name",
    facts: shown(`<img src="${logo}" alt="IMG_0012.jpg">`),
    finds: ["file-name"],
    says: `The alt text of ${logo} is a file name, "IMG_0012.jpg".`,
  },
  { when: "no picture", facts: shown("<p>Hi"), outcome: "not-applicable" },
]);

const link = (text: string, host = "sender.example") => `<a href="https://${host}/page">${text}</a> `;

testCheck(linkNames, [
  { when: "links with words", facts: shown(link("Read the report") + link("Shop")) },
  {
    when: "an empty link",
    facts: shown(link("Shop") + link(" &nbsp;")),
    finds: ["nameless"],
    says: "A link to sender.example has no link text.",
  },
  { when: "a picture's link", facts: shown(link(`<img src="${logo}">`)) },
  { when: "a labelled link", facts: shown('<a href="https://sender.example/" aria-label="Shop"></a>') },
  { when: "an anchor, which leads nowhere", facts: shown(`<a name="top"></a>${link("Shop")}`) },
  { when: "a hidden link", facts: shown(`<div style="display:none">${link("")}</div>${link("Shop")}`) },
  {
    when: "five times here",
    facts: shown(link("Read the report") + link("here").repeat(4) + link("Click here »")),
    finds: ["vague"],
    says: '5 of 6 links have vague text such as "here".',
  },
  { when: "one of two", facts: shown(link("Read the report") + link("Here")) },
  { when: "one alone", facts: shown(link("here")) },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);
