import { expect, test, vi } from "vitest";
import { createSparseLog } from "../../../../src/features/intake/smtp/sparse-log.ts";
import { testSystem } from "../../../test-system.ts";

test("many similar log lines are reduced to a few and a count, and later ones are logged again", () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const info = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const say = createSparseLog({ ...testSystem().log, info }, { message: "rejected", most: 2, withinMs: 60_000 });
    for (let client = 1; client <= 1_000; client++) say({ client });
    expect(lines).toEqual(['rejected {"client":1}', 'rejected {"client":2}']);
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(2)).toEqual(['rejected: more lines were left out {"count":998,"withinMs":60000}']);
    say({ client: 5 });
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(3)).toEqual(['rejected {"client":5}']);
  } finally {
    vi.useRealTimers();
  }
});
