// Memory that messages take between their first byte and their 250, bounded for all connections together; spare buffers, of
// which a few more are held, serve one message after another. Thrown away each time, they made the collector go through all
// that we hold every few dozen messages.

export type MessageMemory = {
  /**
   * The same bytes with room for `bytes`, but not for more than `atMost`: the buffer that they stood in is given back. Null
   * when there is no room, and the message is refused for now.
   */
  readonly grow: (buffer: Buffer, bytes: number, atMost: number) => Buffer | null;
  /** Nobody reads it any more: the next message is written over it. */
  readonly giveBack: (buffer: Buffer) => void;
  /** Somebody may still read it. */
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
      spares.clear(); // of sizes that nobody asked for, perhaps
      spareBytes = 0;
    }
    spareBytes += size;
    const alike = spares.get(size);
    if (alike) alike.push(buffer);
    else spares.set(size, [buffer]);
  }

  return {
    grow: (buffer, bytes, atMost) => {
      // It doubles: a list of pieces would weigh forty times a message of a million dotted lines.
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
