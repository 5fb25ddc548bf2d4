// A mailbox of labeled messages, the same each time: spam that looks fairly harmless to Assay, ordinary mail, and one in
// twenty of each with the words of the other.

const offers = [
  ["Free credit report", "Click here now to get your free credit report. 100% free, guaranteed. Order today."],
  ["Make money from home", "Earn $5,000 a week working from home. No experience needed. Click below to order."],
  ["You are a winner", "Congratulations, you have won. Click here to claim your money. This offer is free."],
  ["Lowest mortgage rates", "Save thousands on your mortgage. Free quote, no obligation. Click here and apply now."],
  ["Viagra without prescription", "Order viagra online now, lowest price guaranteed. Click here for a free sample."],
] as const;

const notes = [
  ["Lunch on Thursday", "Shall we have lunch on Thursday at noon? The place by the river is open again."],
  ["Minutes of the meeting", "Here are the minutes of Monday's meeting. Please tell me if anything is missing."],
  ["The build is green", "The build of the main branch passed after the change to the parser. Thanks for the review."],
  ["Your order has shipped", "Your order of two books left our shop today and arrives on Friday."],
  ["Draft of the chapter", "I have read your draft. The second part works well, and I left notes in the margin."],
] as const;

/** `from`: its domain. */
export type MadeMessage = { readonly isSpam: boolean; readonly from: string; readonly text: string };

/** Every other one is spam. `toLabel`: the header line that says so. */
export function makeMailbox(count: number, toLabel: (isSpam: boolean) => string): readonly MadeMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const isSpam = index % 2 === 0;
    const from = `${isSpam ? "offer" : "friend"}${index % 40}.example`;
    return { isSpam, from, text: makeMessage(index, { isSpam, from, label: toLabel(isSpam) }) };
  });
}

function makeMessage(index: number, { isSpam, from, label }: Omit<MadeMessage, "text"> & { label: string }): string {
  const words = isSpam === index % 40 < 38 ? offers : notes;
  const [subject, text] = words[Math.floor(index / 2) % words.length] ?? notes[0];
  const server = label.includes("Forefront") ? "a.prod.outlook.com" : "mx.google.com";
  return [
    ...(label === "" ? [] : [label]),
    `Received: from mx${index}.example ([192.0.2.${1 + (index % 200)}]) by ${server} with ESMTPS; Sat, 21 Nov 2026 05:00:00 +0000`,
    `From: ${isSpam ? `Team ${index} <info` : "Ann <ann"}@${from}>`,
    "To: Bob <bob@team.example>",
    `Subject: ${subject} ${index}`,
    "Date: Sat, 21 Nov 2026 05:00:00 +0000",
    `Message-ID: <${index}@made.example>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text,
    "From the beginning it was so.",
    "",
  ].join("\n");
}

export function toMbox(messages: readonly MadeMessage[]): string {
  return messages.map(({ text }) => `From 1@xxx Sat Nov 21 05:00:00 +0000 2026\n${text}\n`).join("");
}
