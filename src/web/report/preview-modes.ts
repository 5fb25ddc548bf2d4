// The dark views of a message, and which email clients each stands for.

import type { DarkMode } from "../../analyzer/mail/html/dark-mode.ts";

type PreviewMode = { readonly value: Exclude<DarkMode, "off">; readonly label: string; readonly says: string };

export const previewModes: readonly PreviewMode[] = [
  {
    value: "own",
    label: "Dark",
    says: "Simulated: with the message’s own dark styles, as in Apple Mail on iPhone, iPad, and Mac. Without such styles, it stays as sent.",
  },
  {
    value: "partial",
    label: "Partly inverted",
    says: "Simulated: light backgrounds turn dark and dark text turns light, as in Outlook.com, the Outlook app, Outlook for Mac, and Gmail on Android. Images stay as they are.",
  },
  {
    value: "full",
    label: "Fully inverted",
    says: "Simulated: all colors are inverted, as in Gmail on iPhone and Outlook for Windows. Dark designs turn light. Images stay as they are.",
  },
];
