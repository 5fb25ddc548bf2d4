// A call of GET /readyz that is under way for as long as a test wants.

import type { ReadinessCheck } from "../../src/platform/server.ts";

export function holdReadiness() {
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<boolean>();
  const holds = () => {
    noteAsked();
    return held;
  };
  const readiness: readonly ReadinessCheck[] = [{ code: "database_unavailable", trouble: "x", holds }];
  return {
    readiness,
    /** Resolves when it was called. */
    asked,
    /** Lets it be answered: ready. */
    release: () => release(true),
  };
}
