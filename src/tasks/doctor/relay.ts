import { whyNoRelay } from "../sending/transports.ts";
import { createHeading, type Examination } from "./row.ts";

/** Greets, encrypts and logs in as send-test would, and sends nothing. */
export const examineRelay: Examination = async ({ config: { sendSmtpUrl }, hostName }) => {
  const heading = createHeading("relay", "Sending relay");
  if (sendSmtpUrl === null)
    return [heading.grey("ASSAY_SEND_SMTP_URL names none: samples go straight to our own listener.")];
  const trouble = await whyNoRelay(sendSmtpUrl, hostName);
  return [
    trouble === null
      ? heading.green("It answers, and takes our log-in where it is given one.")
      : heading.red(trouble, "Mend ASSAY_SEND_SMTP_URL, or what it names."),
  ];
};
