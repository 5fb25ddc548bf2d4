import { exampleTargets } from "../../../../src/analyzer/checks/content/example-targets.ts";
import { testCheck } from "../test-check.ts";
import { given, kindOf } from "./given.ts";

const picture = (src: string) => given(`<p>News</p><img src="${src}" width="600" height="200" alt="Books">`);

testCheck(exampleTargets, [
  {
    when: "passes a message with its own links and images",
    facts: given(`<a href="https://own.example/books">Books</a><img src="https://img.own.example/one.png" alt="">`),
  },
  {
    when: "finds a link to an example site",
    facts: given(`<a href="https://www.example.com/sale">Shop now</a><a href="https://example.com/">More</a>`),
    finds: ["link", "link"],
    says: 'The link "Shop now" opens www.example.com, which stands for a site that was not filled in.',
  },
  ...["https://www.yourdomain.com/", "http://your-website.com", "https://yourcompany.com/unsubscribe"].map((href) => ({
    when: `finds ${href}`,
    facts: given(`<a href="${href}">Shop now</a>`),
    finds: ["link"] as const,
  })),
  {
    when: "leaves a link alone that shows its address, as documentation does",
    facts: given(`<a href="https://example.com/path">https://example.com/path</a>`),
  },
  {
    when: "leaves a site alone whose owner sends the message",
    facts: given(`<a href="https://www.yourcompany.com/">Shop now</a>`, { from: "news@yourcompany.com" }),
  },
  {
    when: "finds an image that a service draws",
    facts: picture("https://via.placeholder.com/600x200"),
    finds: ["image"],
    says: "The image https://via.placeholder.com/600x200 is a placeholder.",
  },
  {
    when: "finds an image of an editor",
    facts: picture("https://cdn.example.net/assets/image_placeholder.png?v=2"),
    finds: ["image"],
  },
  {
    when: "leaves a placeholder for a person alone",
    facts: picture("https://cdn.own.example/profile-placeholder.png"),
  },
  {
    when: "finds an image without full address",
    facts: picture("images/header.jpg"),
    finds: ["image"],
    says: "The image images/header.jpg has no full address, so it can't be shown.",
    why: "An example link leads nowhere, and an image that was not filled in shows an empty box.",
  },
  {
    when: "finds an image on the sender's own disk",
    facts: picture("file:///C:/Users/ada/logo.png"),
    finds: ["image"],
  },
  { when: "leaves a merge tag to another check", facts: picture("{{ logo }}.png") },
  {
    when: "leaves a relative address alone that a base completes",
    facts: given(`<base href="https://own.example/"><img src="one.png" alt="">`),
  },
  {
    when: "leaves a relative address alone that an attached image may complete",
    facts: (() => {
      const facts = picture("header.jpg");
      const { root } = facts.message;
      return {
        ...facts,
        message: {
          ...facts.message,
          root: { ...root, parts: [...root.parts, { ...root, type: "image/jpeg", parts: [] }] },
        },
      };
    })(),
  },
  {
    when: "does not apply to a post to a mailing list",
    facts: {
      ...given(`<a href="https://example.com/">Example</a>`),
      kind: { ...kindOf("bulk").kind, mailingList: true },
    },
    outcome: "not-applicable",
  },
]);
