// How mailbox providers react to a finding.

import { toActing, toActor, toDeed } from "../../api/gate-words.ts";
import type { Finding } from "../../api/judgment.ts";
import { toReach } from "../../api/volume-words.ts";

export function Gates({ gates }: { readonly gates: Finding["gates"] }) {
  return (
    <ul class="gates small muted">
      {toActing(gates).map((gate) => (
        <li key={`${gate.provider}${gate.sender}${gate.reply}`}>
          <GateWords gate={gate} />
        </li>
      ))}
    </ul>
  );
}

function GateWords({ gate }: { readonly gate: Finding["gates"][number] }) {
  const { provider, sender, reply, may } = gate;
  const who = toActor(provider);
  const reach = sender === "bulk" ? ` ${toReach(provider)}` : "";
  const deed = toDeed(reply);
  if (deed !== null) return `${who} likely ${deed}${reach}.`;
  return (
    <>
      {who} {may ? "may reply" : "likely replies"} <code>{reply}</code>
      {reach}.
    </>
  );
}
