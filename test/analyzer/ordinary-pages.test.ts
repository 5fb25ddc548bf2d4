// No false alarms: a well-sent newsletter has only minor issues for content that all newsletters have.

import { expect, test } from "vitest";
import { inHtml, type Letter } from "../fixtures/messages/letter.ts";
import { newsletter } from "../fixtures/messages/newsletter.ts";
import { type OrdinaryPage, ordinaryPages } from "../fixtures/messages/ordinary-pages.ts";
import { analyze } from "../fixtures/messages/run.ts";

const footer =
  '<p style="font-size:14px;color:#333333">You get this letter because you asked for it. <a href="https://www.a.example/u/9f27c4d1b6">Unsubscribe</a><br>Harrow Lane Books, 12 Harrow Lane, York YO1 7HZ</p>';

function toLetter({ styles = "", body }: OrdinaryPage): Letter {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The autumn collection is here</title><style>${styles}</style>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
  return inHtml("</body>", `${footer}</body>`)({ ...newsletter, html });
}

test.each(ordinaryPages)("an ordinary page has only minor issues: $name", async (page) => {
  const { judgment } = await analyze(toLetter(page));
  const severe = judgment.findings.filter(({ severity }) => severity === "critical" || severity === "major");
  expect(severe.map(({ id, says }) => `${id}: ${says}`)).toEqual([]);
  expect(judgment.kind?.kind).toBe("bulk");
  expect(judgment.score.composite).toBeGreaterThanOrEqual(95);
  const hidden = judgment.placement?.predictions.filter(({ folder }) => folder === "spam" || folder === "rejected");
  expect(hidden).toEqual([]);
});
