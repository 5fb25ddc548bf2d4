// A check that does not say that it judges by the kind gives every kind of mail the same verdict. What another kind would
// score rests on it: only those that say so are asked again.

import { expect, test } from "vitest";
import type { Check } from "../../src/checks/check.ts";
import { kinds } from "../../src/checks/kind.ts";
import { checks } from "../../src/checks/list.ts";
import { analyzeMessage } from "../../src/tasks/analyze-message.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { gallery, galleryAnalyst, galleryInput } from "../fixtures/messages/gallery.ts";
import { analyze } from "../fixtures/messages/run.ts";

type Asked = Parameters<Check["run"]>[0];

/** As a need it is the value, as a wish the fact. */
function toldOf(kind: string, check: Check, facts: Asked): Asked {
  if (check.needs.includes("kind")) return { ...facts, kind: { ...(facts.kind as object), kind } };
  const fact = facts.kind as { readonly known: boolean; readonly value?: object };
  return fact.known ? { ...facts, kind: { ...fact, value: { ...fact.value, kind } } } : facts;
}

test("checks that do not judge by the kind judge every kind alike", async () => {
  const differing = new Set<string>();
  let asked = 0;
  for (const check of checks) {
    if (check.byKind || ![...check.needs, ...check.wants].includes("kind")) continue;
    const { run } = check;
    const compare = (facts: Asked) => {
      const verdict = run(facts);
      for (const kind of kinds) {
        if (check.kinds !== "all" && !check.kinds.includes(kind)) continue;
        asked++;
        if (JSON.stringify(run(toldOf(kind, check, facts))) !== JSON.stringify(verdict))
          differing.add(check.id);
      }
      return verdict;
    };
    (check as { run: Check["run"] }).run = compare;
  }
  for (const prepared of gallery) await analyzeMessage(galleryInput(prepared), galleryAnalyst);
  for (const letter of Object.values(bases)) await analyze(letter);
  for (const fixture of fixtures) await analyze(letterOf(fixture));
  expect(asked).toBeGreaterThan(5_000);
  expect([...differing]).toEqual([]);
});
