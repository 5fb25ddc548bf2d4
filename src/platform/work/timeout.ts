/** Resolves when the work has settled or time is up. Never rejects. */
export async function waitWithTimeout(withinMs: number, work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, withinMs);
  await Promise.race([work.catch(() => {}), patience.promise]);
  clearTimeout(timer);
}
