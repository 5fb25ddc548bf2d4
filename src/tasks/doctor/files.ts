import { type DirectoryReading, inspectDataDirectory } from "../../system/data-directory.ts";
import { describeKeyFile, inspectKeyFile, secretKeyPath } from "../../system/secret-key.ts";
import { readTlsFiles, type TlsFiles } from "../../system/tls-files.ts";
import { createHeading, type DoctorRow, type Examination, type Heading } from "./row.ts";

const dayMs = 86_400_000;
const renewBeforeDays = 14;

export const examineDataDirectory: Examination = async ({ config }) => {
  const reading = await inspectDataDirectory(config.dataDir);
  return [directoryRow(config.dataDir, reading), diskRow(reading, config.minFreeBytes)];
};

export const examineSecretKey: Examination = async ({ config }) => {
  const heading = createHeading("secret-key", "Secret key");
  if (config.secretKey !== null) return [heading.green("It comes from ASSAY_SECRET_KEY.")];
  const path = secretKeyPath(config.dataDir);
  const state = await inspectKeyFile(path);
  const says = describeKeyFile(path, state);
  if (state === "absent") return [heading.grey(says)];
  return [
    state === "private" ? heading.green(says) : heading.red(says, "assay serve refuses to start until then."),
  ];
};

export const examineCertificates: Examination = async ({ config, system, hostName }) => {
  const now = system.now();
  const smtp = createHeading("smtp-certificate", "SMTP certificate");
  const http = createHeading("http-certificate", "HTTPS certificate");
  const webName = config.baseUrl && new URL(config.baseUrl).hostname;
  return Promise.all([
    config.smtpTlsCert && config.smtpTlsKey
      ? certificateRow(smtp, { cert: config.smtpTlsCert, key: config.smtpTlsKey }, hostName, now)
      : smtp.grey(
          "A self-signed pair is used: senders encrypt, but cannot know whom they reach.",
          "For MTA-STS set ASSAY_SMTP_TLS_CERT and ASSAY_SMTP_TLS_KEY to a pair of a known authority.",
        ),
    config.httpTlsCert && config.httpTlsKey
      ? certificateRow(http, { cert: config.httpTlsCert, key: config.httpTlsKey }, webName, now)
      : http.grey(
          "HTTPS is off.",
          "Set ASSAY_HTTP_TLS_CERT and ASSAY_HTTP_TLS_KEY, or put a proxy in front.",
        ),
  ]);
};

function directoryRow(dataDir: string, reading: DirectoryReading): DoctorRow {
  const heading = createHeading("data-directory", "Data directory");
  if (reading.ok) return heading.green(`${reading.path} is writable and closed to other users.`);
  if (reading.isAbsent) return heading.grey(`${dataDir} does not exist; it is made at first start.`);
  return heading.red(reading.problem, "assay serve refuses to start until then.");
}

function diskRow(reading: DirectoryReading, minFreeBytes: number): DoctorRow {
  const heading = createHeading("disk", "Free disk");
  if (!reading.ok) return heading.grey("It cannot be told without the data directory.");
  const says = `${toMegabytes(reading.freeBytes)} free; senders are put off under ${toMegabytes(minFreeBytes)}.`;
  return reading.freeBytes > minFreeBytes
    ? heading.green(says)
    : heading.red(says, "Free space, shorten ASSAY_RETENTION_DAYS, or lower ASSAY_MIN_FREE_BYTES.");
}

async function certificateRow(
  heading: Heading,
  files: TlsFiles,
  name: string | null,
  nowMs: number,
): Promise<DoctorRow> {
  const reading = await readTlsFiles(files, nowMs);
  if (!reading.ok)
    return heading.red(reading.problem, "Put a usable pair there; it is taken without a restart.");
  const { certificate } = reading;
  if (name && certificate.checkHost(name) === undefined)
    return heading.red(`${files.cert} does not name ${name}.`, `Have one issued for ${name}.`);
  const daysLeft = Math.floor((certificate.validToDate.getTime() - nowMs) / dayMs);
  const says = `${files.cert} fits its key${name ? `, names ${name}` : ""} and has ${daysLeft} days left.`;
  return daysLeft < renewBeforeDays ? heading.red(says, "Renew it now.") : heading.green(says);
}

function toMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_048_576)} MiB`;
}
