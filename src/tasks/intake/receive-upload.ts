// Messages that members hand in over HTTP. A few at a time, because each stands in memory whole; refused, as senders
// are, when too much waits or the disk is short.

import { hasCeiling, type Plans, selfHostedPlans } from "../../accounts/plans.ts";
import { overloaded, Refusal } from "../../errors.ts";
import { readMessageSource } from "../../mail/mime/message-source.ts";
import type { Intake } from "../../store/intake/intake.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";
import { requireRoom } from "../billing/ceilings.ts";
import { type IntakeRoom, receiveUpload, type UploadedMessage } from "./receive-message.ts";

/** `read` is called once there is room. Answers the id of the test, flushed to disk. */
export type ReceiveUpload = (
  upload: Omit<UploadedMessage, "raw">,
  raw: { readonly mostBytes: number; readonly read: () => Promise<Uint8Array> },
) => Promise<string>;

type UploadOptions = {
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  /** Absent: none has a ceiling. */
  readonly plans?: Plans;
  readonly system: Pick<System, "now" | "random">;
  readonly onReceived: () => void;
};

const maxInFlight = 4;
/** Half of what SMTP may hold; one alone is always taken, however large the settings allow it to be. */
const maxBytesInFlight = 134_217_728;

export function createUploadReceiver(options: UploadOptions): ReceiveUpload {
  const { hasRoom, system, onReceived } = options;
  let inFlight = 0;
  let bytesInFlight = 0;
  const isFull = (mostBytes: number) =>
    inFlight >= maxInFlight || (inFlight > 0 && bytesInFlight + mostBytes > maxBytesInFlight);
  return async (upload, { mostBytes, read }) => {
    if (isFull(mostBytes)) throw overloaded("Other messages are being uploaded");
    inFlight += 1;
    bytesInFlight += mostBytes;
    try {
      if (!(await hasRoom())) throw overloaded("Too much is waiting or the disk is short");
      const given = await read();
      if (given.length === 0) throw new Refusal("invalid_request", "The body is empty: send a message.");
      const source = readMessageSource(given);
      if (!source.ok) throw new Refusal("invalid_request", source.problem);
      const id = await receiveUpload({ ...upload, raw: source.raw }, withinPlan(upload, options), system);
      onReceived();
      return id;
    } finally {
      inFlight -= 1;
      bytesInFlight -= mostBytes;
    }
  };
}

/** Where a plan has a ceiling it is asked in the very transaction; elsewhere nothing is asked. */
function withinPlan(
  { workspaceId }: Pick<UploadedMessage, "workspaceId">,
  { intake, plans = selfHostedPlans, system }: UploadOptions,
): Intake {
  const ceiling = "testsPerMonth";
  if (!hasCeiling(plans, ceiling)) return intake;
  const check = (db: Db) => requireRoom(inWorkspace(db, workspaceId), { plans, ceiling, now: system.now() });
  return { insert: (messages) => intake.insert(messages, check) };
}
