// What became of each press: sending, done, or not done (and why). One press, one id: it is
// sent again under that id until it is answered, so it has one effect.

const AGAIN_MS = 1000;
const GIVE_UP_MS = 7000; // a command lives 5 s; its answer, or the lack of one, comes by then
const DONE_SHOWN_MS = 1500;
const FAILED_SHOWN_MS = 8000;

export class Presses {
  #send;
  #byButton = new Map();

  constructor(send) {
    this.#send = send;
  }

  // Returns false if this button's last press is still on its way or just took effect.
  press(button, screen, given, now) {
    const last = this.#byButton.get(button);
    if (last && last.status !== "failed") return false;
    const body = { id: newId(), button, window: screen.window, round: screen.round, ...given };
    this.#byButton.set(button, { body, status: "sending", why: "", since: now, sentAt: now });
    this.#send(body);
    return true;
  }

  answered(answer, now) {
    for (const press of this.#byButton.values()) {
      if (press.body.id !== answer.id || press.status !== "sending") continue;
      press.status = answer.verdict === "done" ? "done" : "failed";
      press.why = answer.why;
      press.since = now;
    }
  }

  // A button that is no longer offered, or belongs to another halt, has nothing to say.
  keep(screen) {
    for (const [button, { body }] of this.#byButton) {
      const offered = screen?.buttons.some((other) => other.id === button);
      if (!offered || body.window !== screen.window) this.#byButton.delete(button);
    }
  }

  tick(now) {
    for (const [button, press] of this.#byButton) {
      const age = now - press.since;
      if (press.status === "sending") this.#again(press, age, now);
      else if (age > (press.status === "done" ? DONE_SHOWN_MS : FAILED_SHOWN_MS)) {
        this.#byButton.delete(button);
      }
    }
  }

  #again(press, age, now) {
    if (age > GIVE_UP_MS) {
      Object.assign(press, { status: "failed", why: "no_answer", since: now });
    } else if (now - press.sentAt > AGAIN_MS) {
      press.sentAt = now;
      this.#send(press.body);
    }
  }

  status(button) {
    const press = this.#byButton.get(button);
    return press ? { status: press.status, why: press.why } : null;
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
