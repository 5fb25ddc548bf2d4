// Before there is anything to tell: how the first message gets here.

import { Icon, type IconName } from "../parts/icon.tsx";
import { SeedAddress } from "../start/page.tsx";

type FirstStep = {
  readonly icon: IconName;
  readonly title: string;
  readonly says: string;
  readonly act: string;
};

const ways: readonly FirstStep[] = [
  {
    icon: "send",
    title: "Let Assay write one",
    says: "A newsletter of its own to this address: a whole report to look at.",
    act: "Send a sample",
  },
  {
    icon: "upload",
    title: "Take a saved file",
    says: "One that your mail program saved (.eml).",
    act: "Upload a message",
  },
  {
    icon: "copy",
    title: "Take a message’s source",
    says: "All of it, headers first, as “Show original” shows it.",
    act: "Paste a message",
  },
];

export function FirstUse() {
  return (
    <>
      <section class="card stack first" aria-labelledby="first-h">
        <h2 id="first-h">Send a message to this address</h2>
        <p class="muted measure">
          Send it from the program or service that writes to your readers. Its report is there a few seconds
          later, and this page fills: the score, where mail lands, and what to mend first.
        </p>
        <SeedAddress />
        <p>
          <span class="live">Waiting for mail</span>
        </p>
      </section>
      <h2 class="mt-6 mb-4">Or without sending anything yourself</h2>
      <ul class="grid g3">
        {ways.map(({ icon, title, says, act }) => (
          <li key={title} class="card way">
            <Icon name={icon} />
            <h3>{title}</h3>
            <p class="muted">{says}</p>
            <a class="btn" href="/start">
              {act}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
