// Before there is anything to tell: how the first message gets here.

import { Icon, type IconName } from "../parts/icon.tsx";
import { SeedAddress } from "../start/page.tsx";

const ways: readonly { readonly icon: IconName; readonly title: string; readonly says: string }[] = [
  { icon: "send", title: "Let Assay send", says: "A sample newsletter to yourself: a whole report at once." },
  { icon: "upload", title: "Upload a message", says: "A file that your mail program saved (.eml)." },
  { icon: "copy", title: "Paste a message", says: "Its whole source, headers first." },
];

export function FirstUse() {
  return (
    <>
      <section class="card stack first" aria-labelledby="first-h">
        <h2 id="first-h">Send a message to this address</h2>
        <p class="muted measure">
          Send it from the program or service that writes to your readers. Its report opens a few seconds
          later, and this page fills: the score, where mail lands, and what to mend first.
        </p>
        <SeedAddress />
        <p>
          <span class="live">Waiting for mail</span>
        </p>
      </section>
      <h2 class="mt-6 mb-4">Or without sending anything yourself</h2>
      <ul class="grid g3">
        {ways.map(({ icon, title, says }) => (
          <li key={title} class="card way">
            <Icon name={icon} />
            <h3>{title}</h3>
            <p class="muted">{says}</p>
            <a class="btn" href="/start" aria-label={`${title}: open`}>
              Open
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
