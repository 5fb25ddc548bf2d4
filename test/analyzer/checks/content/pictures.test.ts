import { imageBalance } from "../../../../src/analyzer/checks/content/image-balance.ts";
import { tracking } from "../../../../src/analyzer/checks/content/tracking.ts";
import { testCheck } from "../test-check.ts";
import { given } from "./given.ts";

const poster = `<img src="https://own.example/p.jpg" width="600" height="800" alt="Sale">`;
const logo = `<img src="https://own.example/l.png" width="120" height="40" alt="Own">`;
const sentence = "These shoes are made for walking and for that alone. ";

testCheck(imageBalance, [
  {
    when: "passes a logo above three sentences",
    facts: given(`${logo}<p>${sentence.repeat(3)}</p>`),
    says: "Characters of text: 129. Content images: 1.",
  },
  {
    when: "finds a message that is one image",
    facts: given(`${poster}<p>Unsubscribe</p>`),
    finds: ["image-only"],
    says: "The message consists almost entirely of images, with 11 characters of text.",
  },
  {
    when: "finds one image whose size is not declared",
    facts: given(`<img src="https://own.example/p.jpg">`),
    finds: ["image-only"],
  },
  {
    when: "passes a short message with a logo and a code",
    facts: given(`${logo}<p>Your code is 123456. It ends in ten minutes.</p>`),
  },
  {
    when: "does not apply to one image with a complete plain text",
    facts: given(poster, { text: sentence.repeat(4) }),
    outcome: "not-applicable",
  },
  {
    when: "does not count URLs in the plain text",
    facts: given(poster, { text: "https://own.example/a-very-long-address ".repeat(9) }),
    finds: ["image-only"],
  },
  {
    when: "finds little text next to large images",
    facts: given(`${poster}<p>${sentence.repeat(5)}</p>`),
    finds: ["little-text"],
    says: "The message has large images and only 215 characters of text.",
  },
  { when: "passes much text next to large images", facts: given(`${poster}<p>${sentence.repeat(20)}</p>`) },
  {
    when: "does not apply without visible text or images",
    facts: given(`<div style="background:url(https://own.example/p.jpg);width:600px;height:900px"> </div>`),
    outcome: "not-applicable",
  },
  {
    when: "ignores spacers and tracking pixels",
    facts: given(`<img src="https://own.example/spacer.gif" width="600" height="900"><p>Hello</p>`),
  },
]);

const unique = "0123456789abcdef0123456789";

testCheck(tracking, [
  { when: "passes a spacer", facts: given(`<img src="https://own.example/spacer.gif" width="1" height="1">`) },
  {
    when: "reports a service's tracking pixel",
    facts: given(`<img src="https://u1.ct.sendgrid.net/wf/open?upn=${unique}" width="1" height="1">`),
    finds: ["found"],
    says: "The message has tracking pixels: 1 (SendGrid).",
  },
  {
    when: "finds a tracking pixel that loads over http",
    facts: given(`<img src="http://t.own.example/o?id=${unique}" width="1" height="1">`),
    finds: ["found", "insecure"],
    says: "The message has tracking pixels: 1 (unknown service).",
  },
]);
