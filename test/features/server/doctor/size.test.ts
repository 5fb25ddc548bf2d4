import { expect, test } from "vitest";
import { toSize } from "../../../../src/features/server/doctor/row.ts";

test.each([
  [0, "0 MB"],
  [1_048_575, "0 MB"],
  [1_048_576, "1 MB"],
  [1_073_741_823, "1023 MB"],
  [1_073_741_824, "1.0 GB"],
  [2_147_483_647, "1.9 GB"],
  [10_737_418_240, "10 GB"],
  [83_000_000_000, "77 GB"],
])("%i bytes are shown as %s, never rounded up", (bytes, shown) => {
  expect(toSize(bytes)).toBe(shown);
});
