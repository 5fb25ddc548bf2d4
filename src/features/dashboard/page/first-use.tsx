// Shown before the first test: how to send one.

import { Icon, type IconName } from "../../../web/parts/icon.tsx";
import { ReachNote, SeedAddress, useReceiving } from "../../tests/page/start/send-here.tsx";

type FirstStep = { readonly icon: IconName; readonly title: string; readonly says: string; readonly act: string };

const ways: readonly FirstStep[] = [
  {
    icon: "send",
    title: "Send a sample",
    says: "Assay sends a sample newsletter to your address, so you can explore a full report.",
    act: "Send sample",
  },
  { icon: "upload", title: "Upload a file", says: "An .eml file saved from your email client.", act: "Upload file" },
  {
    icon: "copy",
    title: "Paste a message",
    says: "The full source with headers, as in Gmail’s “Show original”.",
    act: "Paste source",
  },
];

export function FirstUse() {
  return (
    <>
      <section class="card stack first" aria-labelledby="first-h">
        <h2 id="first-h">Send an email to this address</h2>
        <p class="muted measure">
          Send it from the app or service you use to email your subscribers. Within seconds, you’ll see its score, where
          it would land, and what to fix first.
        </p>
        <SeedAddress />
        <ReachNote receiving={useReceiving()} isAlone />
        <p>
          <span class="live">Waiting for mail</span>
        </p>
      </section>
      <h2 class="mt-6 mb-4">No email ready? Try one of these</h2>
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
