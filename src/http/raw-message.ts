import { Refusal } from "../errors.ts";
import { readRawMessage } from "../store/raw-messages.ts";
import type { Became } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import type { Dependencies } from "./dependencies.ts";
import { answerDownload } from "./download.ts";

export type StoredMessage = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly became: Became;
};

/** `name` is the id that was asked for. */
export async function answerRawMessage(
  name: string,
  { workspaceId, testId, became }: StoredMessage,
  { store }: Pick<Dependencies, "store">,
): Promise<Response> {
  const raw = await readRawMessage(inWorkspace(store.readAside, workspaceId), testId, became);
  if (!raw) throw new Refusal("not_found", "There is no such message.");
  return answerDownload({ name: `${name}.eml`, type: "message/rfc822", content: Buffer.from(raw.bytes) });
}
