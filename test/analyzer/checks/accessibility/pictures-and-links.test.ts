import { imageAlt } from "../../../../src/analyzer/checks/accessibility/image-alt.ts";
import { linkNames } from "../../../../src/analyzer/checks/accessibility/link-names.ts";
import { plainText, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const logo = "https://cdn.sender.example/blue-shoe.png";

testCheck(imageAlt, [
  {
    when: "passes an image with alt text and a decorative one",
    facts: shown(`<img src="${logo}" alt="Blue shoe"><img src="https://cdn.sender.example/a.png" alt="">`),
    says: "All images have an alt attribute (2 images).",
  },
  {
    when: "finds an image without alt",
    facts: shown(`<img src="${logo}">`),
    finds: ["missing"],
    says: `The image ${logo} has no alt text.`,
    fix: 'Add `alt="Blue shoe"`, or `alt=""` for a decorative image.',
  },
  {
    when: "finds an image whose file name has small and capital letters without an order",
    facts: shown('<img src="https://cdn.sender.example/QmRtZkWpLd.png">'),
    finds: ["missing"],
    fix: 'Add `alt="What the image shows"`, or `alt=""` for a decorative image.',
  },
  {
    when: "finds an image whose file name joins two words",
    facts: shown('<img src="https://cdn.sender.example/blueShoe.png">'),
    finds: ["missing"],
    fix: 'Add `alt="Blue shoe"`, or `alt=""` for a decorative image.',
  },
  {
    when: "finds an image without alt and with a meaningless file name",
    facts: shown('<img src="https://cdn.sender.example/9f8a7bc23d.png">'),
    finds: ["missing"],
    fix: 'Add `alt="What the image shows"`, or `alt=""` for a decorative image.',
  },
  {
    when: "finds an image without alt whose file name has no vowel",
    facts: shown('<img src="https://cdn.sender.example/kfhgdr.png">'),
    finds: ["missing"],
    fix: 'Add `alt="What the image shows"`, or `alt=""` for a decorative image.',
  },
  {
    when: "finds an image without alt whose file name has capital letters inside its words",
    facts: shown('<img src="https://cdn.sender.example/ABra-kaDAbra.png">'),
    finds: ["missing"],
    fix: 'Add `alt="What the image shows"`, or `alt=""` for a decorative image.',
  },
  { when: "finds one image shown three times", facts: shown(`<img src="${logo}">`.repeat(3)), finds: ["missing"] },
  {
    when: "does not apply to a tracking pixel, a spacer, a line, and a hidden image",
    facts: shown(
      '<p>Hi</p><img src="https://cdn.sender.example/spacer.gif"><img src="https://cdn.sender.example/x.png" width="600" height="1">' +
        '<img src="https://cdn.sender.example/h.png" style="display:none"><img src="https://t.sender.example/open?id=1234567890abcdef" width="1" height="1">',
    ),
    outcome: "not-applicable",
  },
  {
    when: "finds a link that contains only an image without alt text",
    facts: shown(`<a href="https://sender.example/"><img src="${logo}" alt=""></a>`),
    finds: ["linked-empty"],
    says: "The link to https://sender.example/ contains only an image without alt text.",
  },
  {
    when: "passes an image without alt text in a link with a label",
    facts: shown(`<a href="https://sender.example/" aria-label="Shop"><img src="${logo}" alt=""></a>`),
  },
  {
    when: "passes an image without alt text in a link with words",
    facts: shown(`<a href="https://sender.example/"><img src="${logo}" alt=""> Shop</a>`),
  },
  {
    when: "finds a file name as alt text",
    facts: shown(`<img src="${logo}" alt="IMG_0012.jpg">`),
    finds: ["file-name"],
    says: `The alt text of ${logo} is a file name, "IMG_0012.jpg".`,
  },
  { when: "does not apply without images", facts: shown("<p>Hi"), outcome: "not-applicable" },
]);

const link = (text: string, host = "sender.example") => `<a href="https://${host}/page">${text}</a> `;

testCheck(linkNames, [
  { when: "passes links with words", facts: shown(link("Read the report") + link("Shop")) },
  {
    when: "finds an empty link",
    facts: shown(link("Shop") + link(" &nbsp;")),
    finds: ["nameless"],
    says: "A link to sender.example has no link text.",
  },
  { when: "passes the link of an image", facts: shown(link(`<img src="${logo}">`)) },
  { when: "passes a link with a label", facts: shown('<a href="https://sender.example/" aria-label="Shop"></a>') },
  { when: "passes an anchor without a link target", facts: shown(`<a name="top"></a>${link("Shop")}`) },
  { when: "passes a hidden link", facts: shown(`<div style="display:none">${link("")}</div>${link("Shop")}`) },
  {
    when: 'finds five links with the text "here"',
    facts: shown(link("Read the report") + link("here").repeat(4) + link("Click here »")),
    finds: ["vague"],
    says: '5 of 6 links have vague text such as "here".',
  },
  { when: "passes one vague link of two", facts: shown(link("Read the report") + link("Here")) },
  { when: "passes a single vague link", facts: shown(link("here")) },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);
