// SPDX-License-Identifier: MIT
// The window on the continuum: which stretch is shown, how wide, and how positions are written.
import { groupDigits, roundStep } from "../numbers.js";

/** A stretch [from, to] of the continuum on so many pixels; it never leaves the extent. */
export class Scale {
  constructor(extent, axis) {
    this.extent = extent;
    this.axis = axis;
    const length = extent[1] - extent[0];
    // The closest zoom: a few characters, or a hundred-thousandth of a recording.
    this.least = isContinuous(axis) ? length / 1e5 : Math.min(length, 8);
    this.width = 1;
    this.margin = 10;
    [this.from, this.to] = extent;
  }

  get span() {
    return this.to - this.from;
  }

  get isWhole() {
    return this.from <= this.extent[0] && this.to >= this.extent[1];
  }

  get pixelsPerUnit() {
    return Math.max(1, this.width - 2 * this.margin) / this.span;
  }

  x(position) {
    return this.margin + (position - this.from) * this.pixelsPerUnit;
  }

  position(x) {
    return this.from + (x - this.margin) / this.pixelsPerUnit;
  }

  /** The stretch under the whole width, margins included: what must be drawn. */
  get sight() {
    return [this.position(0), this.position(this.width)];
  }

  look(from, to) {
    const [low, high] = this.extent;
    const span = Math.min(high - low, Math.max(this.least, to - from));
    const middle = (from + to) / 2;
    const start = Math.min(high - span, Math.max(low, middle - span / 2));
    [this.from, this.to] = [start, start + span];
  }

  /** Zooms by a factor (above 1: closer) and keeps the position at x where it is. */
  zoom(factor, x = this.width / 2) {
    const [low, high] = this.extent;
    const fixed = this.position(x);
    const span = Math.min(high - low, Math.max(this.least, this.span / factor));
    const from = fixed - ((fixed - this.from) * span) / this.span;
    this.look(from, from + span);
  }

  pan(distance) {
    const [low, high] = this.extent;
    const from = Math.min(high - this.span, Math.max(low, this.from + distance));
    [this.from, this.to] = [from, from + this.span];
  }

  whole() {
    this.look(...this.extent);
  }

  /** Shows a stretch with its surroundings; keeps the zoom if it is suitable. */
  show(from, to) {
    const [low, high] = this.extent;
    const most = Math.max((to - from) * 8, this.least * 8, (high - low) / 200);
    const span = Math.max((to - from) * 1.5, Math.min(this.span, most));
    const middle = (from + to) / 2;
    this.look(middle - span / 2, middle + span / 2);
  }
}

const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000];

/** How many positions make a second, where the axis is one of time. */
const SECOND = { time: 1, milliseconds: 1000 };

/** Whether positions lie anywhere, not only on whole numbers. */
function isContinuous(axis) {
  return axis in SECOND || axis === "decimals";
}

/** The step of an axis: round numbers, or round times, at least so many pixels apart. */
export function stepOf(scale, apart) {
  const wanted = apart / scale.pixelsPerUnit;
  const second = SECOND[scale.axis];
  if (wanted > second) {
    const seconds = wanted / second;
    return second * (TIME_STEPS.find((step) => step >= seconds) ?? Math.ceil(seconds / 36000) * 36000);
  }
  const step = roundStep(wanted);
  return isContinuous(scale.axis) ? step : Math.max(1, step);
}

export function ticks(scale, apart = 90) {
  const step = stepOf(scale, apart);
  const positions = [];
  const [from, to] = scale.sight;
  const begin = Math.ceil(Math.max(from, scale.extent[0]) / step);
  const end = Math.floor(Math.min(to, scale.extent[1]) / step);
  for (let i = begin; i <= end && positions.length < 500; i++) positions.push(i * step);
  const fine = step / (SECOND[scale.axis] ?? 1);
  const digits = isContinuous(scale.axis) ? Math.max(0, -Math.floor(Math.log10(fine) + 1e-9)) : 0;
  return positions.map((position) => ({ position, label: tickLabel(position, scale.axis, digits) }));
}

function tickLabel(position, axis, digits) {
  if (axis in SECOND) return clock(position / SECOND[axis], digits);
  return digits ? position.toFixed(digits) : groupDigits(Math.round(position));
}

/** Seconds as m:ss or h:mm:ss, with decimals where asked for. */
export function clock(seconds, digits = 0) {
  const sign = seconds < 0 ? "−" : "";
  const scale = 10 ** digits;
  const total = Math.round(Math.abs(seconds) * scale) / scale;
  const whole = Math.floor(total + 1e-9);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = (total - hours * 3600 - minutes * 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return sign + (hours ? `${hours}:${String(minutes).padStart(2, "0")}` : String(minutes)) + `:${rest}`;
}

/** A position for people: times to the hundredth where that is exact, other numbers to the thousandth, small ones finer. */
export function positionText(position, axis) {
  if (!(axis in SECOND)) return String(Number(Math.abs(position) < 1 ? position.toPrecision(4) : position.toFixed(3)));
  const seconds = position / SECOND[axis];
  const hundredths = Math.abs(seconds * 100 - Math.round(seconds * 100)) < 1e-6;
  return clock(seconds, hundredths ? 2 : 3);
}

export function stretchText(start, end, axis) {
  if (start === end) return positionText(start, axis);
  return `${positionText(start, axis)}–${positionText(end, axis)}`;
}
