// SPDX-License-Identifier: MIT
// One measurement at a time: restarted when a setting changes, cancelled on request, reported as it goes.
import { call, followJob, pause, Refusal } from "./api.js";

/** Seconds between two attempts where the service does not say. */
const RETRY_AFTER = 2;

/**
 * Reports by `tell(name, data)`: began, queued (place), busy (seconds), job (id), progress, estimate, result, done,
 * failed, cancelled, interrupted (error; it goes on when the connection is back), lost (error; nothing more will come).
 */
export class Measuring {
  constructor(tell) {
    this.tell = tell;
    this.job = null;
    this.stopFollowing = () => {};
    this.attempt = null;
  }

  /** Measures an upload; a measurement under way is cancelled. */
  async start(upload, settings) {
    this.drop();
    const attempt = new AbortController();
    this.attempt = attempt;
    this.tell("began");
    try {
      const job = await this.requestJob(upload, settings, attempt.signal);
      if (attempt !== this.attempt) {
        discard(job.id);
        return;
      }
      this.follow(job, attempt);
      if (job.place) this.tell("queued", job.place);
    } catch (error) {
      if (error.name === "AbortError" || attempt !== this.attempt) return;
      this.attempt = null;
      if (error instanceof Refusal && !error.isLost) this.tell("failed", { problems: error.problems });
      else this.tell("lost", error);
    }
  }

  /** Takes up a job that was begun before the page was reloaded. */
  resume(job) {
    this.drop();
    const attempt = new AbortController();
    this.attempt = attempt;
    this.tell("began");
    this.follow(job, attempt);
  }

  follow(job, attempt) {
    this.job = job.id;
    this.tell("job", job.id);
    const onEvent = (name, data) => this.receive(attempt, name, data);
    this.stopFollowing = followJob(job.id, onEvent, (error, isLost) => this.handleBreak(attempt, error, isLost));
  }

  /** The job, as soon as the service has room for it. */
  async requestJob(upload, settings, signal) {
    for (;;) {
      try {
        return await call("POST", "/measure", { upload: upload.id, settings, wait: false }, { signal });
      } catch (error) {
        if (!(error instanceof Refusal && error.isBusy)) throw error;
        const seconds = error.retryAfter ?? RETRY_AFTER;
        this.tell("busy", seconds);
        await pause(1000 * seconds, signal);
      }
    }
  }

  receive(attempt, name, data) {
    if (attempt !== this.attempt) return;
    if (name === "done" || name === "failed" || name === "cancelled") this.attempt = null;
    this.tell(name, data);
  }

  handleBreak(attempt, error, isLost) {
    if (attempt !== this.attempt) return;
    if (!isLost) {
      this.tell("interrupted", error);
      return;
    }
    this.attempt = null;
    this.job = null;
    this.tell("lost", error);
  }

  /** Ends what is under way; the service deletes the job too, unless its upload is deleted anyway. */
  drop({ isDeleted = false } = {}) {
    this.attempt?.abort();
    this.attempt = null;
    this.stopFollowing();
    if (this.job && !isDeleted) discard(this.job);
    this.job = null;
  }

  /** Stops following the job without deleting it: its result is still needed. */
  leave() {
    this.stopFollowing();
    this.attempt = null;
    this.job = null;
  }

  cancel() {
    if (this.attempt === null) return;
    this.drop();
    this.tell("cancelled", { problems: [] });
  }
}

/** Deletes a job; if the request is lost, the service deletes it after a while. */
function discard(id) {
  call("DELETE", `/jobs/${id}`, undefined, { keepalive: true }).catch(() => {});
}
