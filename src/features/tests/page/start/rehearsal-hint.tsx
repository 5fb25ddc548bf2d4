// A hint at rehearsal addresses, where mail to them is answered that way.

import { useSession } from "../../../../web/client/session.ts";
import type { Receiving } from "../../../intake/contract/receiving.ts";

export function RehearsalHint({ receiving }: { readonly receiving: Receiving | null }) {
  const { seedAddress, rehearsal } = useSession().workspace;
  const isPrivate = receiving?.listeners.some(({ reach }) => reach !== "all") ?? false;
  if (seedAddress === null || rehearsal === "off" || (rehearsal === null && !isPrivate)) return null;
  return (
    <p class="small muted mt-4">
      Want to see how your mail server handles a rejection? Send to{" "}
      <code>{seedAddress.replace("@", "+as-gmail@")}</code>. <a href="/docs/rehearsal">Rehearsals and sender probes</a>
    </p>
  );
}
