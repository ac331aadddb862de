// SPDX-License-Identifier: MIT
// What a page remembers of a reader's choices while its tab is open, over reloads too where the browser allows it.

/** {load, save} of one object under a name; a browser that refuses storage remembers it until the page is left. */
export function memoryOf(name) {
  const key = `unisono-choices:${name}`;
  let held = null;
  return {
    load() {
      try {
        held ??= JSON.parse(sessionStorage.getItem(key));
      } catch {
        // Refused, or not ours: begin anew.
      }
      return typeof held === "object" && held !== null ? held : {};
    },
    /** Adds parts to what is remembered. */
    save(parts) {
      held = { ...this.load(), ...parts };
      try {
        sessionStorage.setItem(key, JSON.stringify(held));
      } catch {
        // The browser keeps nothing: until the page is left it is held here.
      }
    },
  };
}
