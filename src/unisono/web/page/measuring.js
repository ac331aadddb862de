// SPDX-License-Identifier: MIT
// One measurement at a time: begun anew when a setting changes, cancelled on the way, told about as it goes.
import { call, follow, pause, Refusal, Silence } from "./api.js";

/** Seconds between two attempts where the service does not say. */
const AGAIN = 2;

/**
 * Tells `began()`, `queued(place)`, `busy(seconds)`, `job(id)`, `progress`, `estimate`, `result`, `done`, `failed`, `cancelled`,
 * `interrupted(error)` (the connection broke; it goes on when it is back) and `lost(error)` (nothing more will come).
 */
export class Measuring {
  constructor(tell) {
    this.tell = tell;
    this.job = null;
    this.stopFollowing = () => {};
    this.attempt = null;
  }

  get isRunning() {
    return this.attempt !== null;
  }

  /** Measures an upload; whatever was under way is cancelled. */
  async start(upload, settings) {
    this.drop();
    const attempt = new AbortController();
    this.attempt = attempt;
    this.tell("began");
    try {
      const job = await this.begun(upload, settings, attempt.signal);
      if (attempt !== this.attempt) {
        discard(job.id);
        return;
      }
      this.job = job.id;
      this.tell("job", job.id);
      if (job.place) this.tell("queued", job.place);
      this.stopFollowing = follow(job.id, (name, data) => this.told(attempt, name, data), (error) => this.broken(attempt, error));
    } catch (error) {
      if (error.name === "AbortError" || attempt !== this.attempt) return;
      this.attempt = null;
      if (error instanceof Refusal && !error.isLost) this.tell("failed", { problems: error.problems });
      else this.tell("lost", error);
    }
  }

  /** The job, as soon as the service has room for it. */
  async begun(upload, settings, signal) {
    for (;;) {
      try {
        return await call("POST", "/measure", { upload: upload.id, settings, wait: false }, { signal });
      } catch (error) {
        if (!(error instanceof Refusal && error.isBusy)) throw error;
        const seconds = error.retryAfter ?? AGAIN;
        this.tell("busy", seconds);
        await pause(1000 * seconds, signal);
      }
    }
  }

  told(attempt, name, data) {
    if (attempt !== this.attempt) return;
    if (name === "done" || name === "failed" || name === "cancelled") this.attempt = null;
    this.tell(name, data);
  }

  broken(attempt, error) {
    if (attempt !== this.attempt) return;
    if (error instanceof Silence) {
      this.tell("interrupted", error);
      return;
    }
    this.attempt = null;
    this.job = null;
    this.tell("lost", error);
  }

  /** Ends what is under way, and has the service forget what was made of it, unless somebody else sees to that. */
  drop({ isSeenTo = false } = {}) {
    this.attempt?.abort();
    this.attempt = null;
    this.stopFollowing();
    if (this.job && !isSeenTo) discard(this.job);
    this.job = null;
  }

  cancel() {
    if (!this.isRunning) return;
    this.drop();
    this.tell("cancelled", { problems: [] });
  }
}

/** Tells the service that a job is no longer wanted; if it does not hear, it will find out by itself. */
function discard(id) {
  call("DELETE", `/jobs/${id}`, undefined, { keepalive: true }).catch(() => {});
}
