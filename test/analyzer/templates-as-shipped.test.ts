// A template as shipped is no A, however well it is sent. A test in the subject costs nothing, because people test here.

import { expect, test } from "vitest";
import { inHtml, type Letter, withHeader } from "../fixtures/messages/letter.ts";
import { newsletter } from "../fixtures/messages/newsletter.ts";
import { analyze } from "../fixtures/messages/run.ts";

const withBlock = (block: string): Letter => inHtml("</body>", `${block}</body>`)(newsletter);

async function scoreOf(letter: Letter): Promise<number> {
  const { judgment } = await analyze(letter);
  return judgment.score.composite ?? 0;
}

test.each([
  ["a sentence of its maker", "<p>I'm a new paragraph block.</p>"],
  ["a heading", "<h2>Heading 2</h2>"],
  ["a field", "<p>Dear [First Name],</p>"],
  ["filler text", "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"],
  ["an example link", '<p><a href="https://www.example.com/">Read more</a></p>'],
  ["a placeholder image", '<p><img src="https://placehold.co/600x200" width="600" height="200" alt="Books"></p>'],
  ["an image that was not uploaded", '<p><img src="images/header.png" width="600" height="200" alt="Books"></p>'],
  ["links without target", '<p><a href="#">One</a> <a href="#">Two</a> <a href="https://">Three</a></p>'.repeat(20)],
])("a newsletter gets no A with %s", async (_, block) => {
  expect(await scoreOf(newsletter)).toBeGreaterThanOrEqual(90);
  expect(await scoreOf(withBlock(block))).toBeLessThan(90);
});

test("a test in the subject costs nothing", async () => {
  const letter = withHeader("Subject", "[Test] Three books for the long evenings")(newsletter);
  const { judgment } = await analyze(letter);
  expect(judgment.findings.map(({ id }) => id)).toContain("subject-style.test");
  expect(judgment.score.composite).toBe(await scoreOf(newsletter));
});
