import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { isStatic } from "./static.ts";

type CopyButtonProps = {
  readonly text: string;
  readonly what: string;
  /** To tell several buttons side by side apart. */
  readonly label?: string;
  /** The main action of the page. */
  readonly isMain?: boolean;
};

/** `what` names the copied text for screen readers. */
export function CopyButton({ text, what, label = "Copy", isMain = false }: CopyButtonProps) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text)) ? "copied" : "refused");
  const words = { ready: label, copied: "Copied", refused: "Copy failed" }[state];
  return isStatic ? null : (
    <button class={isMain ? "btn primary" : "btn small"} type="button" onClick={copy}>
      <Icon name={state === "copied" ? "good" : "copy"} />
      <span aria-live="polite">{words}</span>
      <span class="vh"> {what}</span>
    </button>
  );
}

/** Text with a button that copies it. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="copy">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    // Only available over https and on localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "vh";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
