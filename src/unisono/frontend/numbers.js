// SPDX-License-Identifier: MIT
// Numbers as people read them, in the same form as unisono.report.sentences writes them.

const thousands = new Intl.NumberFormat("en");

/** A value with a true minus sign; a dash where there is none. */
export function numberText(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A difference of two values, with its sign: +0.012; 0.000 has none. */
export function differenceText(value, digits = 3) {
  const text = numberText(value, digits);
  return value > 0 && Number(text) > 0 ? `+${text}` : text;
}

/** 12345 as 12,345; a dash where there is no number. */
export const groupDigits = (count) => (count === null || count === undefined ? "–" : thousands.format(count));

/** "1 unit", "2 units". */
export const countText = (count, noun, nouns = `${noun}s`) => `${groupDigits(count)} ${count === 1 ? noun : nouns}`;

export const intervalText = (interval) =>
  interval ? `${numberText(interval.low)} to ${numberText(interval.high)}` : "–";

/** The remaining seconds in words, rounded as coarsely as they are known. */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 1.5) return "about a second left";
  if (seconds < 90) return `about ${Math.round(seconds)} seconds left`;
  return `about ${Math.round(seconds / 60)} minutes left`;
}

/** How long something took: "0.44 seconds", "12 seconds", "3 minutes". */
export function durationText(seconds) {
  if (seconds >= 89.5) return countText(Math.round(seconds / 60), "minute");
  return seconds < 9.95 ? `${seconds.toPrecision(2)} seconds` : countText(Math.round(seconds), "second");
}

/** A number of bytes: 200 MiB. */
export function sizeText(bytes) {
  let size = bytes;
  for (const unit of ["bytes", "KiB", "MiB"]) {
    if (size < 1024) return `${Number(size.toPrecision(3))} ${unit}`;
    size /= 1024;
  }
  return `${Number(size.toPrecision(3))} GiB`;
}

/** The smallest round step (1, 2 or 5 times a power of ten) of at least this size. */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * 0.999);
}

/** What somebody or something is called in a sentence: the name, after its noun if it has no letter. */
export const called = (noun, name) => (/\p{L}/u.test(name) ? name : `${noun} ${name}`);
