// Time left until an end, from the controller's own times and this machine's monotonic clock.
// The wall clock is never asked. A message can only arrive late, never early, so of all
// messages about one end the one that puts it soonest is the best.

export class Countdown {
  #key = null;
  #end = 0;
  #whole = 1;

  note(deadline, receivedAt) {
    if (deadline === null) {
      this.#key = null;
      return;
    }
    const end = receivedAt + deadline.left_ms;
    this.#end = deadline.key === this.#key ? Math.min(this.#end, end) : end;
    this.#key = deadline.key;
    this.#whole = Math.max(1, deadline.whole_ms);
  }

  // {ms, seconds, part}, or null when nothing is waited for. At 0 only the controller closes.
  left(now) {
    if (this.#key === null) return null;
    const ms = Math.max(0, this.#end - now);
    return { ms, seconds: Math.ceil(ms / 1000), part: Math.min(1, ms / this.#whole) };
  }
}
