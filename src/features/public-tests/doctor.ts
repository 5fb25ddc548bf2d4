// What the public page needs, beside what mail needs.

import { createHeading, type Examination } from "../server/doctor/row.ts";

const heading = createHeading("public-tests", "Public tests");

export const examinePublicTests: Examination = async ({ config }) => {
  const { publicTests, baseUrl, httpTlsCert, seedDomains } = config;
  if (publicTests === "off") return [heading.grey("Off. No one can test a message without an account.")];
  const isPublic = !/(?:^|\.)(?:localhost|local|internal|test|example|invalid)$/.test(seedDomains[0] ?? "");
  const missing = [
    ...(isPublic
      ? []
      : [
          `No mail server on the internet can deliver to ${seedDomains[0]}: set up your own domain under Settings > Receiving.`,
        ]),
    ...(baseUrl === null ? ["Set the web address under Settings > Server, so that the page has a public name."] : []),
    ...(baseUrl?.startsWith("https:") || (baseUrl === null && httpTlsCert !== null)
      ? []
      : ["Serve the page over HTTPS. Without it, browsers can't copy the address or compute a proof of work."]),
  ];
  if (missing.length === 0) return [heading.green(`On, at ${baseUrl}/test.`)];
  return [heading.red("On, but visitors on the internet can't use the page yet.", missing.join(" "))];
};
