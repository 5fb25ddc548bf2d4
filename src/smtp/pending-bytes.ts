// Memory that messages take between their first byte and their 250, bounded for all connections together.

export type PendingBytes = {
  /** False when there is no room: the message is refused for now. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
};

export function createPendingBytes(maxBytes: number): PendingBytes {
  let reserved = 0;
  return {
    reserve: (bytes) => {
      if (reserved + bytes > maxBytes) return false;
      reserved += bytes;
      return true;
    },
    release: (bytes) => {
      reserved -= bytes;
    },
  };
}
