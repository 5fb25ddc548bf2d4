/** Reads again only after a while, because those who ask are many and what they ask changes slowly. */
export function reread<T>(everyMs: number, now: () => number, read: () => Promise<T>): (() => Promise<T>) & Forget {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<T> | undefined;
  const ask = () => {
    if (reading === undefined || now() - readAt >= everyMs || now() < readAt) {
      readAt = now();
      reading = read();
    }
    return reading;
  };
  const forget = () => {
    reading = undefined;
  };
  return Object.assign(ask, { forget });
}

type Forget = { readonly forget: () => void };
