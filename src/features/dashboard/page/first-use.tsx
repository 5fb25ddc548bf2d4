// Shown before the first test: how to send one, and what one gets.

import { Icon } from "../../../web/parts/icon.tsx";
import { ReachNote, SeedAddress, useReceiving } from "../../tests/page/start/send-here.tsx";

const gains = [
  { icon: "good", title: "A score", says: "With what to fix first, and how." },
  { icon: "inbox", title: "Where it lands", says: "At Gmail, Outlook.com, Yahoo, iCloud, and other hosts." },
  { icon: "eye", title: "How it looks", says: "On a phone, in dark mode, and without images." },
] as const;

export function FirstUse() {
  return (
    <section class="stack" aria-label="Your first message">
      <SeedAddress isMain />
      <ReachNote receiving={useReceiving()} isAlone />
      <p class="row">
        <span class="live">Waiting for mail</span>
        <a class="btn" href="/start">
          Upload or paste a message
        </a>
      </p>
      <ul class="grid g3">
        {gains.map(({ icon, title, says }) => (
          <li key={title} class="card way">
            <Icon name={icon} />
            <h2 class="t4">{title}</h2>
            <p class="muted">{says}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
