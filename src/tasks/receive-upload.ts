// Messages that members hand in over HTTP. A few at a time, because each stands in memory whole; refused, as senders
// are, when too much waits or the disk is short.

import { overloaded, Refusal } from "../errors.ts";
import type { Intake } from "../store/intake/intake.ts";
import type { System } from "../system/system.ts";
import type { IntakeRoom } from "./intake-room.ts";
import { receiveUpload, type UploadedMessage } from "./receive-message.ts";

/** `readRaw` is called once there is room. Answers the id of the test, flushed to disk. */
export type ReceiveUpload = (
  upload: Omit<UploadedMessage, "raw">,
  readRaw: () => Promise<Uint8Array>,
) => Promise<string>;

export type UploadOptions = {
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  /** Absent: none has a ceiling. */
  readonly plans?: Plans;
  readonly system: Pick<System, "now" | "random">;
  readonly onReceived: () => void;
};

const maxInFlight = 4;

export function createUploadReceiver(options: UploadOptions): ReceiveUpload {
  const { intake, hasRoom, plans = selfHostedPlans, system, onReceived } = options;
  let inFlight = 0;
  return async (upload, readRaw) => {
    if (inFlight >= maxInFlight) throw overloaded("Other messages are being uploaded");
    inFlight += 1;
    try {
      if (!(await hasRoom())) throw overloaded("Too much is waiting or the disk is short");
      const raw = await readRaw();
      if (raw.length === 0) throw new Refusal("invalid_request", "The body is empty: send a message.");
      const ceiling = { plans, workspaceId: upload.workspaceId, ceiling: "testsPerMonth" } as const;
      const id = await receiveUpload({ ...upload, raw }, boundIntake(intake, ceiling, system), system);
      onReceived();
      return id;
    } finally {
      inFlight -= 1;
    }
  };
}
