// SPDX-License-Identifier: MIT
// Controls with a data-key are settings: they are read as an object that leaves out defaults, and set from one.
import { byId, cut, element } from "../dom.js";

const OTHER = "\u0000other";

/** The value of a control for JSON; undefined if it is the default. */
function valueOf(control) {
  if (control.type === "checkbox") return control.checked || undefined;
  if (control.dataset.other && control.value === OTHER) return byId(control.dataset.other).value.trim() || undefined;
  const text = control.value;
  if ((control.tagName === "SELECT" ? text : text.trim()) === "" || (control.tagName === "INPUT" && text === control.defaultValue)) return undefined;
  if (control.dataset.kind === "boolean") return text === "true";
  if (control.dataset.kind === "lines")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  return control.type === "number" ? Number(text) : text;
}

function setValue(control, value) {
  if (control.type === "checkbox") {
    control.checked = value === true;
    return;
  }
  const text =
    value === undefined || value === null
      ? (control.defaultValue ?? "")
      : Array.isArray(value)
        ? value.join("\n")
        : String(value);
  const other = control.dataset.other && byId(control.dataset.other);
  if (control.tagName !== "SELECT") control.value = text;
  else if ([...control.options].some((option) => option.value === text)) control.value = text;
  else if (other) {
    control.value = OTHER;
    other.value = text;
  } else {
    control.append(element("option", { value: text }, cut(text, 80))); // keep an unknown value selectable
    control.value = text;
  }
  if (other) other.hidden = control.value !== OTHER;
}

export function readForm(form) {
  const values = {};
  for (const control of form.querySelectorAll("[data-key]")) {
    const value = valueOf(control);
    if (value !== undefined) values[control.dataset.key] = value;
  }
  return values;
}

export function writeForm(form, values) {
  for (const control of form.querySelectorAll("[data-key]")) setValue(control, values[control.dataset.key]);
}

export const keysOf = (form) => [...form.querySelectorAll("[data-key]")].map((control) => control.dataset.key);

/** Offers choices in a select: [[value, text]], and a field for any other value where the select has one. */
export function offer(select, choices) {
  const before = select.value;
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value }, cut(text, 80))));
  if (select.dataset.other) select.append(element("option", { value: OTHER }, "another rule …"));
  if ([...select.options].some((option) => option.value === before)) select.value = before;
}

/** Shows the text field beside a select while "another rule" is chosen. */
export function connectOtherFields(form) {
  for (const select of form.querySelectorAll("select[data-other]")) {
    const other = byId(select.dataset.other);
    select.addEventListener("change", () => {
      other.hidden = select.value !== OTHER;
      if (!other.hidden) other.focus();
    });
  }
}

/** Whether "another rule" was chosen but not typed yet. */
export const isUnfinished = (target) =>
  target.dataset?.other !== undefined && target.value === OTHER && !byId(target.dataset.other).value.trim();

/** The first control with an invalid value, null if there is none; puts the browser's message beside each. */
export function firstFault(form) {
  let first = null;
  for (const control of form.querySelectorAll("input, textarea, select")) {
    const isWrong = !control.hidden && !control.checkValidity();
    control.ariaInvalid = isWrong ? "true" : null;
    const field = control.closest(".field, .check, fieldset");
    const note = field?.querySelector(":scope > .fault");
    if (isWrong) {
      first ??= control;
      if (note) note.textContent = control.validationMessage;
      else field?.append(element("p", { class: "fault" }, control.validationMessage));
    } else if (note && !field.querySelector(":invalid")) note.remove();
  }
  return first;
}
