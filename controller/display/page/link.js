// The line to the server: connects, connects again, and knows how old its news is.

const RETRY_MS = 500;
const STALE_MS = 1400; // until the server has said its own figure

export class Link {
  #url;
  #hear;
  #socket = null;
  #last = null; // the newest screen message
  #lastAt;

  constructor(url, hear) {
    this.#url = url;
    this.#hear = hear;
    this.#lastAt = performance.now();
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      setTimeout(() => this.#connect(), RETRY_MS);
    };
  }

  #take(message) {
    if (message.t === "screen") {
      this.#last = message;
      this.#lastAt = performance.now();
    }
    this.#hear(message, performance.now());
  }

  // How old what is shown may be: the server's news of the controller, and our news of the server.
  age(now) {
    return (this.#last?.age_ms ?? 0) + now - this.#lastAt;
  }

  live(now) {
    if (this.#last === null || this.#last.screen === null || !this.#last.live) return false;
    return this.age(now) < (this.#last.stale_ms ?? STALE_MS);
  }

  // A line that is open and silent is dead: make it anew.
  tend(now) {
    if (this.#socket !== null && now - this.#lastAt > 5000) {
      const silent = this.#socket;
      this.#socket = null;
      this.#lastAt += 5000;
      silent.close();
      this.#connect();
    }
  }

  send(body) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(body));
  }
}
