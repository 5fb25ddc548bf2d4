import { imageFormats } from "../../../../src/analyzer/checks/rendering/image-formats.ts";
import { imageWeight } from "../../../../src/analyzer/checks/rendering/image-weight.ts";
import { multipart, part } from "../../mail/letter.ts";
import { looksOf, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const image = (src: string) => shown(`<p>Hi</p><img src="${src}" alt="x" width="200" height="80">`);

testCheck(imageFormats, [
  {
    when: "passes webp over https",
    facts: image("https://cdn.sender.example/a.webp"),
    says: "No image has a format that is known to fail in common email clients (1 image).",
  },
  {
    when: "finds a logo as a data: URL",
    facts: image(`data:image/png;base64,${"iVBORw0KGgo".repeat(20)}`),
    finds: ["data-uri"],
    says: "The HTML embeds 1 image with data: URIs, which Gmail does not display.",
  },
  {
    when: "finds SVG",
    facts: image("https://cdn.sender.example/logo.svg"),
    finds: ["unsupported"],
    says: "The image https://cdn.sender.example/logo.svg is in SVG format, which is not displayed in Gmail and Mail.ru.",
  },
  {
    when: "passes AVIF with JPEG as fallback",
    facts: shown(
      '<picture><source srcset="https://cdn.sender.example/a.avif"><img src="https://cdn.sender.example/a.jpg" alt="x"></picture>',
    ),
  },
  {
    when: "finds http",
    facts: image("http://cdn.sender.example/a.png"),
    finds: ["insecure"],
    says: "The HTML loads 1 image over HTTP, which third parties can read and change.",
  },
  {
    when: "finds a background over http in two places",
    facts: shown(
      '<table background="http://cdn.sender.example/a.png"><tr><td background="http://cdn.sender.example/a.png">Hi</table>',
    ),
    finds: ["insecure"],
  },
  {
    when: "leaves a tracking pixel over http to another check",
    facts: shown('<p>Hi</p><img src="http://t.sender.example/open?id=1234567890abcdef" width="1" height="1">'),
  },
  {
    when: "does not apply to a font over http",
    facts: shown("<style>@font-face{font-family:x;src:url(http://cdn.sender.example/a.woff)}</style><p>Hi"),
    outcome: "not-applicable",
  },
]);

const attached = (bytes: number) =>
  looksOf(
    multipart(
      "related",
      "r",
      part(["Content-Type: text/html"], '<p>Hi</p><img src="cid:a" alt="x"><img src="cid:a" alt="x">'),
      part(["Content-Type: image/gif", "Content-ID: <a>"], "GIF89a".padEnd(bytes, "\r\nabcdefgh")),
    ),
  );

testCheck(imageWeight, [
  {
    when: "passes an image of 700 KB, shown twice",
    facts: attached(700_000),
    says: "Attached and embedded images total 684 KB.",
  },
  {
    when: "finds a GIF of 3 MB",
    facts: attached(3_000_000),
    finds: ["heavy"],
    says: "The images total 2.9 MB. The largest, cid:a, is 2.9 MB.",
  },
  {
    when: "does not apply to remote images",
    facts: image("https://cdn.sender.example/a.gif"),
    outcome: "not-applicable",
  },
]);
