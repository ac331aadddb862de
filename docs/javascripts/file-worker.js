/* SPDX-License-Identifier: MIT
 * The site's search runs in a worker, and browsers start no worker for a page that was opened from a folder.
 * There, a hidden frame takes its place: same script, same messages. */
"use strict";
(() => {
  if (location.protocol !== "file:") return;

  class FileWorker extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.addEventListener("load", () => this.start(url), { once: true });
      document.body.append(this.frame);
    }

    async start(url) {
      const inside = this.frame.contentWindow;
      const load = (source) =>
        new Promise((resolve, reject) => {
          const script = inside.document.createElement("script");
          script.src = source;
          script.onload = resolve;
          script.onerror = reject;
          inside.document.body.append(script);
        });
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...sources) => sources.reduce((before, one) => before.then(() => load(one)), Promise.resolve());
      await load(url);
      this.deliver = (data) => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      for (const data of this.waiting) this.deliver(data);
    }

    postMessage(data) {
      if (this.deliver) this.deliver(data);
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  }

  window.Worker = FileWorker;
})();
