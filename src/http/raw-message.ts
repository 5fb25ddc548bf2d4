import { Refusal } from "../errors.ts";
import { readRawMessage } from "../store/raw-messages.ts";
import type { Became } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import type { Dependencies } from "./dependencies.ts";

export type StoredMessage = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly became: Became;
};

/** A stranger's bytes: only ever saved, never shown (decisions §5). `name` is the id that was asked for. */
export async function answerRawMessage(
  name: string,
  { workspaceId, testId, became }: StoredMessage,
  { store }: Pick<Dependencies, "store">,
): Promise<Response> {
  const raw = await readRawMessage(inWorkspace(store.readAside, workspaceId), testId, became);
  if (!raw) throw new Refusal("not_found", "There is no such message.");
  return new Response(Buffer.from(raw.bytes), {
    headers: {
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${name}.eml"`,
      "content-security-policy": "sandbox",
    },
  });
}
