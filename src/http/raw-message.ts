import { Refusal } from "../errors.ts";
import type { Became } from "../store/schema/schema.ts";
import type { WorkspaceStore } from "../store/scope.ts";
import { readRawMessage } from "../store/tests/raw-messages.ts";
import { answerDownload } from "./download.ts";

export type StoredMessage = {
  readonly testId: string;
  readonly became: Became;
};

/** `name` is the id that was asked for. */
export async function answerRawMessage(
  name: string,
  { testId, became }: StoredMessage,
  { readAside }: Pick<WorkspaceStore, "readAside">,
): Promise<Response> {
  const raw = await readRawMessage(readAside, testId, became);
  if (!raw) throw new Refusal("not_found", "There is no such message.");
  return answerDownload({ name: `${name}.eml`, type: "message/rfc822", content: Buffer.from(raw.bytes) });
}
