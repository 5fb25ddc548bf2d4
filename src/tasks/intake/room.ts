// Is there room for another message? Looked at once a second at most, and not at each message: both figures move slowly.

export type IntakeRoom = () => Promise<boolean>;

export type IntakeRoomOptions = {
  readonly now: () => number;
  readonly maxBacklog: number;
  readonly minFreeBytes: number;
  readonly countBacklog: () => Promise<number>;
  readonly readFreeBytes: () => Promise<number>;
};

const lookEveryMs = 1_000;

export function createIntakeRoom(options: IntakeRoomOptions): IntakeRoom {
  const { now, maxBacklog, minFreeBytes, countBacklog, readFreeBytes } = options;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let hasRoom: Promise<boolean> = Promise.resolve(true);
  const look = async () => {
    const [backlog, freeBytes] = await Promise.all([countBacklog(), readFreeBytes()]);
    return backlog < maxBacklog && freeBytes >= minFreeBytes;
  };
  return () => {
    if (now() - lookedAt >= lookEveryMs) {
      lookedAt = now();
      hasRoom = look();
    }
    return hasRoom;
  };
}
