// Accepts messages uploaded over HTTP. Only a few at a time, because each is held in memory. Refused when the backlog
// is full or the disk is low, as for SMTP.

import { readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasCeiling, type Plans, selfHostedPlans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import type { IntakeRoom } from "../../server/readiness/room.ts";
import type { Intake } from "../rows/intake.ts";
import { receiveUpload, type UploadedMessage } from "./receive-message.ts";

/** `read` is called once there is room. Returns the test's ID after it is on disk. */
export type ReceiveUpload = (
  upload: Omit<UploadedMessage, "raw">,
  raw: { readonly mostBytes: number; readonly read: () => Promise<Uint8Array> },
) => Promise<string>;

type UploadOptions = {
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  /** Absent: no limit. */
  readonly plans?: Plans;
  readonly system: Pick<System, "now" | "random">;
  readonly onReceived: () => void;
};

const maxInFlight = 4;
/** Half of SMTP's limit. A single upload is always accepted, whatever size the settings allow. */
const maxBytesInFlight = 134_217_728;

export function createUploadReceiver(options: UploadOptions): ReceiveUpload {
  const { hasRoom, system, onReceived } = options;
  let inFlight = 0;
  let bytesInFlight = 0;
  const isFull = (mostBytes: number) =>
    inFlight >= maxInFlight || (inFlight > 0 && bytesInFlight + mostBytes > maxBytesInFlight);
  return async (upload, { mostBytes, read }) => {
    if (isFull(mostBytes)) throw overloaded("Too many messages are being uploaded");
    inFlight += 1;
    bytesInFlight += mostBytes;
    try {
      if (!(await hasRoom(upload.workspaceId))) throw overloaded("The backlog is full or disk space is low");
      const given = await read();
      if (given.length === 0) throw new Refusal("invalid_request", "The body is empty. Send a message.");
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

/** Checked in the transaction that stores the test. Costs nothing if no plan has this limit. */
function withinPlan(
  { workspaceId }: Pick<UploadedMessage, "workspaceId">,
  { intake, plans = selfHostedPlans, system }: UploadOptions,
): Intake {
  const ceiling = "testsPerMonth";
  if (!hasCeiling(plans, ceiling)) return intake;
  const check = (db: Db) => requireRoom(inWorkspace(db, workspaceId), { plans, ceiling, now: system.now() });
  return { insert: (messages) => intake.insert(messages, check) };
}
