// Following another provider rule never lowers the score, and breaking one never raises it; an imperfect attempt
// never scores worse than none. The exceptions are for security: a failing signature, and a record that allows
// anyone or rejects the sender's own mail.

import { describe, expect, test } from "vitest";
import type { Kind } from "../../src/analyzer/checks/kind.ts";
import type { ZoneRecords } from "../../src/analyzer/dns/zone.ts";
import type { Judgment } from "../../src/analyzer/reports/judgment.ts";
import { bases } from "../fixtures/messages/fixture.ts";
import type { Change } from "../fixtures/messages/letter.ts";
import { cook, type Ingredient, ingredients, names, type Recipe, throwRecipe, withLevel } from "./generated-mail.ts";
import { judge, type Said, scoreOf } from "./judged.ts";

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
