import { expect, test } from "vitest";
import { createSharedAnswers } from "../../../src/platform/http/shared-answers.ts";

function open() {
  const clock = { nowMs: 1_000 };
  const share = createSharedAnswers(() => clock.nowMs);
  let computed = 0;
  const compute = async () => `answer ${++computed}`;
  return { clock, share, compute };
}

test("an answer is computed once a second for all who ask with the same tag", async () => {
  const { clock, share, compute } = open();
  const ask = (tag: string) => share(tag, compute);
  expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual(["answer 1", "answer 1", "answer 2"]);
  clock.nowMs += 999;
  expect(await ask("a")).toBe("answer 1");
  clock.nowMs += 1;
  expect(await ask("a")).toBe("answer 3");
});

test("an answer that fails is computed again for the next who asks", async () => {
  const { share, compute } = open();
  await expect(share("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await share("a", compute)).toBe("answer 1");
});

test("only the newest of many answers stay in memory", async () => {
  const { share, compute } = open();
  for (const tag of Array.from({ length: 17 }, (_, index) => `${index}`)) await share(tag, compute);
  expect(await share("16", compute)).toBe("answer 17");
  expect(await share("0", compute)).toBe("answer 18");
});
