// Messages with a trap in their DNS (zone.ts).

import { type Letter, withoutFrom } from "./compose.ts";
import { signature } from "./signatures.ts";
import { clients } from "./zone.ts";

const ordinaryClient = { address: "192.0.2.9", helo: "client.sender.example" };

export const dnsLetters: readonly Letter[] = [
  about("include-bomb.example", "an SPF record for includes that include"),
  about("macro-bomb.example", "SPF records for 10,000 macros"),
  about("lookup-bomb.example", "an SPF record for hosts with 1,000 addresses"),
  about("loop.example", "names that are aliases of each other"),
  about("long-records.example", "records of 60 KB for SPF, DMARC and DKIM"),
  about("control.example", "records of 60 KB of control characters"),
  about("many-records.example", "300 records wherever one is asked for"),
  about("many-hosts.example", "300 mail servers with 300 addresses each"),
  about("too-many-hosts.example", "1,000 mail servers"),
  about("reports.example", "DMARC reports to 2,500 hosts"),
  about("pointers.example", "answers of names made of pointers"),
  about("garbage.example", "answers that are no packets"),
  { ...about("sender.example", "300 names of the client's address"), client: clients.manyNames },
  { ...about("sender.example", "1,000 names of the client's address"), client: clients.tooManyNames },
];

/** The analysis of these waits until its time for DNS is over. */
export const slowLetters: readonly Letter[] = [
  about("slow.example", "a zone that answers after 1.5 s"),
  about("silent.example", "a zone that never answers"),
  about(`${"a.".repeat(110)}slow.example`, "a slow zone of 110 labels"),
  { ...about("slow.example", "a client whose names are slow"), client: clients.slowNames },
];

function about(domain: string, name: string): Letter {
  return {
    name,
    mailFrom: `a@${domain}`,
    client: { ...ordinaryClient, helo: `mail.${domain}`.slice(-200).replace(/^\./, "") },
    write: () => {
      const signatures = Array.from({ length: 20 }, (_, index) => signature(index, { domain, body: "Hello.\r\n" }));
      return withoutFrom(`${signatures.join("")}From: Ann <a@${domain}>\r\nReply-To: b@r.${domain}\r\n`, "Hello.\r\n");
    },
  };
}
