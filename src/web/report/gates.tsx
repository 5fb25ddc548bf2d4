// How mailbox providers react to a finding.

import { toActing, toActor, toDeed } from "../../analyzer/words/gate-words.ts";
import { toReach } from "../../analyzer/words/volume-words.ts";
import type { Finding } from "../../features/tests/contract/judgment.ts";

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
  if (deed !== null) return `${who} ${deed}${reach}.`;
  return (
    <>
      {who} {may ? "may reply" : "likely replies"} <code>{reply}</code>
      {reach}.
    </>
  );
}
