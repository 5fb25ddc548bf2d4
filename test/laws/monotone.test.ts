// Following another provider rule never lowers the score, and breaking one never raises it; an imperfect attempt
// never scores worse than none. The exceptions are for security: a failing signature, and a record that allows
// anyone or rejects the sender's own mail.

import { beforeAll, describe, expect, test } from "vitest";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import type { Kind } from "../../src/analyzer/checks/kind.ts";
import type { Volume } from "../../src/analyzer/checks/volume.ts";
import { createZoneDns, type ZoneRecords } from "../../src/analyzer/dns/zone.ts";
import type { Judgment } from "../../src/analyzer/reports/judgment.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { all, type Change, type Letter, unsigned, withoutHeader, withoutName } from "../fixtures/messages/letter.ts";
import { analystWith, circumstances, inputOf } from "../fixtures/messages/run.ts";
import { fewOf } from "../lanes.ts";
import { cook, type Ingredient, ingredients, names, type Recipe, throwRecipe, withLevel } from "./generated-mail.ts";

type Said = { readonly kind: Kind | null; readonly volume?: Volume };

async function judge(letter: Letter, { kind, volume = null }: Said): Promise<Judgment> {
  const said = { ...circumstances, kindOverride: kind, volume };
  const input = { ...inputOf(letter), circumstances: said };
  const { report } = await analyzeMessage(input, analystWith(createZoneDns(letter.zone)));
  if (report === null) throw new Error("The letter was taken for something that is no test.");
  return report.judgment;
}

const scoreOf = ({ score }: Judgment) => score.composite ?? 0;

type Fall = { readonly says: string; readonly changesKind: boolean };

/** Each level of one thing against none, and the best against each. Of two flaws neither need be the better. */
async function fallsIn(
  recipe: Recipe,
  name: Ingredient,
  judgeOnce: (recipe: Recipe) => Promise<Judgment>,
): Promise<Fall[]> {
  const judged: { level: string; judgment: Judgment }[] = [];
  for (const level of ingredients[name])
    judged.push({ level, judgment: await judgeOnce(withLevel(name, level)(recipe)) });
  const [none] = judged;
  const best = judged.at(-1);
  const pairs = judged.slice(1).flatMap((one) => [
    [none, one],
    [one, best],
  ]);
  return pairs.flatMap(([less, more]) => {
    if (!less || !more || scoreOf(more.judgment) >= scoreOf(less.judgment)) return [];
    const toWords = ({ level, judgment }: typeof less) => `${level} (${judgment.kind?.kind}, ${scoreOf(judgment)})`;
    const changesKind = less.judgment.kind?.kind !== more.judgment.kind?.kind;
    return [{ says: `${name}: ${toWords(less)} → ${toWords(more)}`, changesKind }];
  });
}

/** Even, because half of them are drawn where a volume is given. */
const perKind = 4;
const overrides: readonly (Exclude<Kind, "auto-reply"> | null)[] = ["bulk", "transactional", "personal", null];

async function fallsOf(said: Said & { readonly kind: (typeof overrides)[number] }): Promise<Fall[]> {
  const falls: Fall[] = [];
  const first = overrides.indexOf(said.kind) * perKind;
  const seeds = said.volume ? perKind / 2 : perKind;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const recipe = throwRecipe(seed);
    // One level of each ingredient is the recipe itself: the same message for all twelve.
    const known = new Map<string, Promise<Judgment>>();
    const judgeOnce = (one: Recipe) => {
      const key = JSON.stringify(one);
      const judgment = known.get(key) ?? judge(cook(one), said);
      known.set(key, judgment);
      return judgment;
    };
    for (const name of names)
      for (const fall of await fallsIn(recipe, name, judgeOnce))
        falls.push({ ...fall, says: `seed ${seed}: ${fall.says}` });
  }
  return falls;
}

const saysOf = (falls: readonly Fall[]) => falls.map(({ says }) => says);

test.each(overrides.filter((kind) => kind !== null))(
  "following more provider rules never costs points for %s mail",
  async (kind) => {
    expect(saysOf(await fallsOf({ kind }))).toEqual([]);
  },
);

test.each(["bulk", null] as const)(
  "following more provider rules never costs points for small senders of %s mail",
  async (kind) => {
    expect(saysOf(await fallsOf({ kind, volume: "small" }))).toEqual([]);
  },
);

describe("following more provider rules with an inferred kind never costs points", () => {
  const falls = fallsOf({ kind: null });

  test("following more provider rules with an inferred kind never costs points if the kind stays the same", async () => {
    expect(saysOf((await falls).filter(({ changesKind }) => !changesKind))).toEqual([]);
  });

  test("following more provider rules with an inferred kind never costs points if it changes the kind of the message", async () => {
    expect(saysOf((await falls).filter(({ changesKind }) => changesKind))).toEqual([]);
  });
});

const bounces = "bounce.a.example";

/** Each makes the record useless, and none of them lets anybody pass. */
const flawedSpf = {
  "an include of a domain that is gone": ["v=spf1 include:spf.gone-service.example -all"],
  "an include without a record": ["v=spf1 include:www.a.example include:spf.gone-service.example -all"],
  "an include of itself": ["v=spf1 include:bounce.a.example -all"],
  "terms that cannot be read": ["v=spf1 inlcude:_spf.a.example ip:203.0.113.7 a:gone.a.example ptr -all"],
  "two records": ["v=spf1 include:_spf.a.example -all", "v=spf1 include:spf.gone-service.example ?all"],
  "too many look-ups": [
    `v=spf1 ${Array.from({ length: 11 }, (_, index) => `a:gone${index}.a.example`).join(" ")} ip4:0.0.0.0/8 ?all`,
  ],
};

const withSpf =
  (...TXT: string[]): Change =>
  (letter) => ({ ...letter, zone: { ...letter.zone, [bounces]: { ...(letter.zone[bounces] as ZoneRecords), TXT } } });

describe.each(["none", "good"] as const)("mail with %s reverse DNS", (ptr) => {
  test.each(Object.entries(flawedSpf))("an SPF record with %s scores no worse than none", async (_, texts) => {
    const falls: string[] = [];
    for (let seed = 0; seed < 2; seed += 1) {
      const letter = cook(withLevel("ptr", ptr)(throwRecipe(seed)));
      const without = await judge(withSpf()(letter), { kind: "bulk" });
      const flawed = await judge(withSpf(...texts)(letter), { kind: "bulk" });
      if (scoreOf(flawed) < scoreOf(without)) falls.push(`seed ${seed}: ${scoreOf(without)} → ${scoreOf(flawed)}`);
    }
    expect(falls).toEqual([]);
  });
});

test("an SPF record that allows anyone may score worse than none, because it helps spoofers", async () => {
  const without = await judge(withSpf()(bases.T), { kind: "transactional" });
  const open = await judge(withSpf("v=spf1 +all")(bases.T), { kind: "transactional" });
  expect(scoreOf(open)).toBeLessThan(scoreOf(without));
});

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
