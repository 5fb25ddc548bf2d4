import { expect, test } from "vitest";
import { createRates } from "../../../../src/features/rehearsal/work/rates.ts";

test("an address accepts its number of messages within any minute", () => {
  let now = 1_000_000;
  const rates = createRates(() => now);
  const take = (address = "a") => rates.take(address, 2);
  expect([take(), take(), take()]).toEqual([null, null, 60_000]);
  now += 20_000;
  expect([take(), take("b")]).toEqual([40_000, null]);
  now += 40_000;
  expect([take(), take(), take()]).toEqual([null, null, 60_000]);
});

test("a clock that is set back stops no mail", () => {
  let now = 1_000_000;
  const rates = createRates(() => now);
  rates.take("a", 1);
  now -= 500_000;
  expect(rates.take("a", 1)).toBeNull();
});

test("an address is remembered for a minute, however many others there are", () => {
  const rates = createRates(() => 1);
  for (let number = 0; number <= 5_000; number++) rates.take(`${number}`, 1);
  expect(rates.take("0", 1)).toBe(60_000);
});

test("a message that didn't come leaves its place to another", () => {
  const rates = createRates(() => 1);
  rates.giveBack("a");
  rates.take("a", 1);
  rates.giveBack("a");
  expect([rates.take("a", 1), rates.take("a", 1)]).toEqual([null, 60_000]);
});
