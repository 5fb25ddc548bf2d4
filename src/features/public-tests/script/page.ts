// The public page's script. Without it, the page loads itself again while it waits, and a busy page gives no addresses.

import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

const waiting = document.querySelector<HTMLElement>("[data-state]");
if (waiting) void follow(waiting.dataset.state ?? "", waiting.dataset.now ?? "");

/** Loads the page again once there is something new. A hidden page asks less often. */
async function follow(url: string, shown: string): Promise<void> {
  for (let now = shown; now === shown; ) {
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? 5_000 : 1_500));
    // A server that restarts comes back. A page that is over says so itself.
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 404) now = "over";
    if (answer?.ok) now = ((await answer.json()) as { readonly state: string }).state;
  }
  location.reload();
}

const copy = document.querySelector<HTMLButtonElement>("#copy");
const address = document.querySelector("#address")?.textContent ?? "";
// Browsers allow it only over HTTPS and on this machine.
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.onclick = async () => {
    await navigator.clipboard.writeText(address);
    copy.textContent = "Copied";
  };
}

for (const time of document.querySelectorAll("time"))
  time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-proof]"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(form);
  });

// Browsers keep the page as it was left, and visitors come back to it for another test.
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-proof] button")) button.disabled = false;
});

async function submit(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  if (button) button.disabled = true;
  const proof = await prove(() => {
    if (status) status.textContent = "Many people are testing right now. Your browser computes for a moment first.";
  }).catch(() => null);
  if (proof !== null) give(form, proof);
  form.submit();
}

/** A file goes alone in its form, so the proof goes beside it. */
function give(form: HTMLFormElement, proof: string): void {
  const field = form.querySelector<HTMLInputElement>("[name=proof]");
  if (field) field.value = proof;
  else {
    const url = new URL(form.action);
    url.searchParams.set("proof", proof);
    form.action = url.href;
  }
}

/** Null: none is asked for. */
async function prove(onWork: () => void): Promise<string | null> {
  const answer = await fetch("/test/challenge");
  const { challenge } = (await answer.json()) as { challenge: Challenge | null };
  if (challenge === null) return null;
  onWork();
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}
