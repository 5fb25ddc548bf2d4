// The memory that messages use between their first byte and their 250, limited for all connections together. A few spare
// buffers are reused for the next messages. Without reuse, the garbage collector scanned the whole heap every few dozen
// messages.

export type MessageMemory = {
  /**
   * Moves the bytes to a buffer with room for `bytes`, but at most `atMost`, and takes the old buffer back. Null: no room, so
   * the message is deferred.
   */
  readonly grow: (buffer: Buffer, bytes: number, atMost: number) => Buffer | null;
  /** The buffer is no longer read, and the next message overwrites it. */
  readonly giveBack: (buffer: Buffer) => void;
  /** The buffer may still be read. */
  readonly abandon: (buffer: Buffer) => void;
};

const smallest = 4_096;
const largestSpare = 1_048_576;
const maxSpareBytes = 16_777_216;

export function createMessageMemory(maxBytes: number): MessageMemory {
  const spares = new Map<number, Buffer[]>();
  let spareBytes = 0;
  let taken = 0;

  function take(size: number): Buffer {
    taken += size;
    const spare = spares.get(size)?.pop();
    if (spare === undefined) return Buffer.allocUnsafeSlow(size);
    spareBytes -= size;
    return spare;
  }

  function giveBack(buffer: Buffer): void {
    const size = buffer.length;
    taken -= size;
    if (size === 0 || size > largestSpare) return;
    if (spareBytes + size > maxSpareBytes) {
      spares.clear(); // their sizes may not be in demand
      spareBytes = 0;
    }
    spareBytes += size;
    const alike = spares.get(size);
    if (alike) alike.push(buffer);
    else spares.set(size, [buffer]);
  }

  return {
    grow: (buffer, bytes, atMost) => {
      // Doubles the buffer. A list of pieces would use forty times the memory for a message of a million dotted lines.
      const size = Math.min(toPowerOfTwo(Math.max(bytes, smallest)), atMost);
      if (taken - buffer.length + size > maxBytes) return null;
      const grown = take(size);
      buffer.copy(grown);
      giveBack(buffer);
      return grown;
    },
    giveBack,
    abandon: (buffer) => {
      taken -= buffer.length;
    },
  };
}

function toPowerOfTwo(bytes: number): number {
  return 2 ** (32 - Math.clz32(bytes - 1));
}
