// What another server sends, up to a limit. One growing buffer, because the other side may send one byte at a time.

type BoundedBytes = {
  /** False if there was no room for all of it. */
  readonly add: (chunk: Uint8Array) => boolean;
  readonly read: () => Buffer;
};

export function createBoundedBytes(maxBytes: number): BoundedBytes {
  let bytes = Buffer.alloc(Math.min(maxBytes, 4096));
  let length = 0;
  return {
    add: (chunk) => {
      const part = chunk.subarray(0, maxBytes - length);
      const needed = length + part.length;
      if (needed > bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, length)], Math.min(maxBytes, Math.max(2 * bytes.length, needed)));
      bytes.set(part, length);
      length = needed;
      return part.length === chunk.length;
    },
    read: () => bytes.subarray(0, length),
  };
}
