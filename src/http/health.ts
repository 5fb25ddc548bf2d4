import { readHealth, readMetrics, readReadiness } from "../api/health.ts";
import { Refusal } from "../errors.ts";
import type { ReadinessCheck } from "./dependencies.ts";
import { type Route, route } from "./route.ts";

const longestCheckMs = 2_000;
const askAgainSeconds = 5;

export const healthRoutes: readonly Route[] = [
  route(readHealth, () => ({ status: "ok" as const })),

  route(readReadiness, async (_call, { readiness }) => {
    const held = await Promise.all(readiness.map(holds));
    const troubles = readiness.filter((_check, index) => !held[index]).map((check) => check.trouble);
    if (troubles.length === 0) return { status: "ready" as const };
    throw new Refusal("overloaded", `Not ready: ${troubles.join("; ")}.`, {
      retryAfterSeconds: askAgainSeconds,
    });
  }),

  route(readMetrics, async (_call, { metrics: { registry } }) => {
    const text = await registry.metrics();
    return new Response(text, { headers: { "content-type": registry.contentType } });
  }),
];

/** A check that fails or does not answer does not hold. */
async function holds(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, longestCheckMs, false);
  });
  try {
    return await Promise.race([check.holds(), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
