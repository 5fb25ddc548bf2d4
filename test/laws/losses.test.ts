// A message that loses something never scores better, unless what it loses failed.

import { beforeAll, describe, expect, test } from "vitest";
import type { Judgment } from "../../src/analyzer/reports/judgment.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { all, type Change, type Letter, unsigned, withoutHeader, withoutName } from "../fixtures/messages/letter.ts";
import { fewOf } from "../lanes.ts";
import { judge, scoreOf } from "./judged.ts";

const sender = "a.example";

const inBody =
  (change: (body: string) => string): Change =>
  (letter) => ({ ...letter, text: change(letter.text), html: change(letter.html) });

/** In the HTML with its words, in the text with its line. */
const withoutUnsubscribeLink = inBody((body) =>
  body
    .replace(/<a\b[^>]*\/u\/9f27c4d1b6[^>]*>[^<]*<\/a>/g, "")
    .replace(/^.*\/u\/9f27c4d1b6.*$/gm, (line) => (line.includes("<") ? line : "")),
);

/** What the letters of the fixtures have, and lose here. */
const losses = {
  "its signature": unsigned,
  "its SPF record": withoutName("_spf.a.example"),
  "its DMARC record": withoutName(`_dmarc.${sender}`),
  "its unsubscribe header": withoutHeader("List-Unsubscribe", "List-Unsubscribe-Post"),
  "its one-click header": withoutHeader("List-Unsubscribe-Post"),
  "its unsubscribe link": withoutUnsubscribeLink,
  "both ways to unsubscribe": all(
    withoutUnsubscribeLink,
    withoutHeader("List-Unsubscribe", "List-Unsubscribe-Post", "List-Id", "Feedback-ID"),
  ),
  "its alt texts": inBody((body) => body.replace(/\salt="[^"]*"/g, "")),
  "its plain-text part": (letter: Letter): Letter => ({ ...letter, text: "" }),
  "its Message-ID": withoutHeader("Message-ID"),
  "its Date": withoutHeader("Date"),
  "its reverse DNS": withoutName("7.113.0.203.in-addr.arpa"),
  "its encryption": (letter: Letter): Letter => ({ ...letter, heard: { ...letter.heard, isPlain: true } }),
} as const;

/** What fails is no virtue: whoever takes it away may be better off. */
const failing: Readonly<Record<string, RegExp>> = { "its signature": /^dkim-/, "its DMARC record": /^dmarc-result/ };

function isRight(what: string, { findings }: Judgment): boolean {
  return !findings.some(({ severity, check }) => severity === "critical" && failing[what]?.test(check));
}

describe.each([null, "small"] as const)("mail with sending volume %s", (volume) => {
  const letters = fewOf([...Object.values(bases), ...fixtures.map(letterOf)]);
  /** As they are: judged once, and not for each loss. */
  let whole: readonly Judgment[];
  beforeAll(async () => {
    whole = await Promise.all(letters.map((letter) => judge(letter, { kind: null, volume })));
  });

  test.each(Object.entries(losses))("no fixture scores better without %s", async (what, lose) => {
    const gains: string[] = [];
    for (const [index, letter] of letters.entries()) {
      const before = whole[index];
      if (!before) throw new Error("A letter was not judged before its loss.");
      const after = await judge(lose(letter), { kind: null, volume });
      if (isRight(what, before) && scoreOf(after) > scoreOf(before))
        gains.push(`${index - 1}: ${scoreOf(before)} → ${scoreOf(after)}`);
    }
    expect(gains).toEqual([]);
  });
});
