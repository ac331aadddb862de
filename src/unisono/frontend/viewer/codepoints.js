// SPDX-License-Identifier: MIT
// Positions on a text count code points; strings in a browser count UTF-16 units, of which an emoji has two.

/** A text with its positions as the annotators count them: `length`, and `slice(from, to)`. */
export class CodePoints {
  constructor(text) {
    this.text = text;
    this.length = text.length;
    this.at = null;
    if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return; // no surrogate pairs: nothing to convert
    const at = new Uint32Array(text.length + 1);
    let count = 0;
    for (let i = 0; i < text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) at[count++] = i;
    at[count] = text.length;
    this.length = count;
    this.at = at;
  }

  offset(position) {
    const within = Math.max(0, Math.min(Math.floor(position), this.length));
    return this.at ? this.at[within] : within;
  }

  slice(from, to) {
    return this.text.slice(this.offset(from), this.offset(to));
  }
}
