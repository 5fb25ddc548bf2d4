/** Resolves at once for all that came within so many milliseconds after the first: what they write then shares a flush. */
export function createGathering(withinMs: number): () => Promise<void> {
  let meeting: Promise<void> | null = null;
  return () => {
    meeting ??= new Promise((resolve) => {
      setTimeout(() => {
        meeting = null;
        resolve();
      }, withinMs);
    });
    return meeting;
  };
}
