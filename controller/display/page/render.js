// The whole page from one state: render(state) → elements. It remembers nothing and listens to
// nothing; time that runs (seconds, bars, ages) is put in by `tick`, which touches no structure.
//
// state: {words, message, live, entry, status(buttonId)}

import { cardName, drawCard, drawHand, drawSeat } from "./cards.js";
import { fill, h } from "./dom.js";
import { drawPad } from "./pad.js";
import { drawDetail, drawReader, drawTrouble, item, sign } from "./readers.js";
import { drawResults } from "./results.js";

export function render(state) {
  const { message, words } = state;
  const screen = message?.screen ?? null;
  const parts = [drawBand(state)];
  if (screen !== null) parts.push(...(screen.halt ? drawHalt(state) : drawTable(state)));
  const kind = screen === null ? "empty" : screen.halt ? "halt" : screen.instruction.tone;
  return [
    h("main", { class: `screen ${kind}`, inert: !state.live || Boolean(message?.failed) }, parts),
    ...drawCover(state),
  ];
}

// What runs with the clock. left: of the deadline; age: of the news in ms; held: of a button.
export function tick(root, words, left, age, held) {
  for (const element of root.querySelectorAll("[data-seconds]")) {
    put(element, fill(element.getAttribute("data-seconds"), { s: left ? left.seconds : "–" }));
  }
  const bar = root.querySelector(".bar");
  if (bar !== null) {
    bar.style.setProperty("--part", left ? left.part.toFixed(4) : "0");
    bar.setAttribute("data-ms", left ? Math.round(left.ms) : "");
  }
  const old = root.querySelector("#age");
  if (old !== null) put(old, fill(words.page.not_live_s, { n: Math.floor(age / 1000) }));
  for (const element of root.querySelectorAll("[data-hold]")) {
    const part = held?.name === element.getAttribute("data-hold") ? held.part : 0;
    element.style.setProperty("--held", part.toFixed(3));
  }
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function drawBand({ message, words }) {
  const environment = message?.environment ?? "";
  return h(
    "header",
    { class: `band ${environment}` },
    h("span", { class: "name" }, message ? `${words.page.table} ${message.table}` : words.page.title),
    h("strong", { class: "environment" }, words.environment[environment] ?? ""),
    message?.second ? h("span", { class: "second", role: "alert" }, words.page.second) : null,
    h("button", { class: "language", "data-tap": "language", "data-always": true }, words.page.language),
  );
}

// While no card lies on the felt, the instruction has its room.
function drawTable(state) {
  const { message, words } = state;
  const screen = message.screen;
  const bare = screen.position.cards.length + screen.dealer.cards.length + screen.seats.length === 0;
  return [
    drawInstruction(words, screen),
    bare ? null : drawHands(words, screen, ""),
    drawStatus(words, screen),
    h("nav", { class: "buttons" }, screen.buttons.map((button) => drawButton(state, button))),
  ];
}

function drawHands(words, screen, size, ...more) {
  const { seats, position, dealer } = screen;
  if (seats.length) {
    const panels = seats.map((seat) => drawSeat(words, seat));
    const rows = seats.length > 6 ? "many" : "";
    return h("div", { class: `seats ${size} ${rows}`, "--seats": String(seats.length) }, panels, ...more);
  }
  const hands = [drawHand(words, "position", position), drawHand(words, "dealer", dealer)];
  return h("div", { class: `hands ${size}` }, hands, ...more);
}

function drawInstruction(words, screen) {
  const { phase, instruction, deadline, readers } = screen;
  const { say, note, tone, n, of } = instruction;
  const text = fill(words.say[say], { n, of, s: "{s}" });
  const pause = phase === "result" || phase === "voided";
  return h(
    "section",
    { class: `instruction ${tone}` },
    h(
      "div",
      { class: "words" },
      h("h1", { role: "status", "data-fit": true, "data-seconds": text.includes("{s}") && text }, text),
      h("p", { class: "note" }, words.note[note]),
      readers.map((reader) => drawTrouble(words, reader)),
      deadline ? drawTime(pause ? words.page.next_round : "") : null,
    ),
    screen.results.length ? drawResults(words, screen) : null,
  );
}

function drawTime(says) {
  const text = says ? h("span", { class: "next", "data-seconds": says }) : null;
  return h("div", { class: "time" }, h("div", { class: "bar", role: "presentation" }), text);
}

function drawStatus(words, screen) {
  const { players, deck, readers, phase, stopping } = screen;
  return h(
    "section",
    { class: "status" },
    h("div", { class: "item phase" }, words.phase[phase]),
    stopping ? h("div", { class: "item stopping" }, `■ ${words.page.stopping}`) : null,
    item("round", words.page.round, String(screen.round || "–")),
    screen.seats.length
      ? screen.pot && item("pot", words.page.pot, screen.pot)
      : item("players", words.page.still_in, players.main ? `${screen.still_in} / ${players.main}` : "–"),
    item("deck", words.page.deck, drawDeck(words, deck)),
    readers.length
      ? readers.map((reader) => drawReader(words, reader))
      : item("reader down", words.page.shoe, sign(false), words.page.no_reader),
  );
}

function drawDeck(words, deck) {
  if (deck === null) return words.page.no_deck;
  const out = fill(words.page.deck_out, { n: deck.out });
  const left = fill(words.page.deck_left, { n: deck.remaining });
  return `${out} · ${left}${deck.locked ? ` · ${words.page.deck_locked}` : ""}`;
}

function drawHalt(state) {
  const { message, words, entry } = state;
  const screen = message.screen;
  const says = words.incident[screen.halt.incident];
  return [
    h(
      "section",
      { class: "incident", role: "alert" },
      h("p", { class: "phase" }, `■ ${words.page.halted} · ${words.phase[screen.halt.phase]}`),
      h("h1", { "data-fit": true }, says.title),
      h("p", { class: "do" }, screen.halt.passed ? words.page.passed_do : says.do),
      screen.readers.map((reader) => drawTrouble(words, reader)),
    ),
    ...(entry ? drawEntry(state) : drawFelt(state)),
  ];
}

function drawFelt(state) {
  const { words, message } = state;
  const screen = message.screen;
  return [
    drawHands(words, screen, "small", screen.halt.card ? drawQuestion(words, screen.halt.card) : null),
    drawHaltStatus(words, screen),
    h("nav", { class: "exits" }, screen.buttons.map((button) => drawButton(state, button))),
  ];
}

function drawQuestion(words, card) {
  return h(
    "section",
    { class: "hand question" },
    h("header", {}, h("h2", {}, words.page.in_question)),
    h("div", { class: "cards", "--n": "1" }, drawCard(words, card)),
  );
}

// While the felt is being counted the deck's own count is not shown: it would be copied.
function drawHaltStatus(words, screen) {
  const { halt, readers } = screen;
  return h(
    "section",
    { class: "status" },
    item("last", words.page.last, h("b", {}, halt.last_hand ? lastCounted(words, halt) : words.page.no_last)),
    halt.held ? item("held", words.page.held, String(halt.held)) : null,
    halt.waits_for_server ? item("server", words.page.waits_for_server) : null,
    halt.count ? null : item("deck", words.page.deck, drawDeck(words, screen.deck)),
    readers.map((reader) => drawReader(words, reader)),
    drawDetail(words, halt, readers),
  );
}

function lastCounted(words, halt) {
  const hand = fill(words.hand[halt.last_hand] ?? halt.last_hand, { n: halt.last_seat });
  const place = fill(words.page.place, { hand, n: halt.last_place });
  return halt.last_card ? `${place}: ${cardName(words, halt.last_card)}` : place;
}

function drawEntry(state) {
  const { words, entry } = state;
  const back = h("button", { class: "button", "data-tap": "pad.cancel" }, h("b", {}, words.page.cancel));
  return [
    h("div", { class: "pad" }, drawPad(words, entry)),
    h("nav", { class: "exits" }, back, drawButton(state, entry.button, words.page.confirm)),
  ];
}

// A button that must first ask something opens its pad; the pad's own confirms (and is held).
function drawButton(state, button, confirm = "") {
  const { words } = state;
  const asks = !confirm && (button.count || button.name_card);
  const hold = button.hold && !asks;
  const sent = state.status(button.id);
  const disabled = Boolean(confirm && !state.entry.complete) || sent?.status === "sending" || sent?.status === "done";
  const choice = button.choice ? words.choice[button.choice] : words.button[button.act];
  const name = button.exit ? words.exit[button.exit] : choice;
  return h(
    "button",
    {
      class: `button ${button.primary ? "primary" : ""} ${button.role} ${sent?.status ?? ""}`,
      [hold ? "data-hold" : "data-tap"]: `${confirm ? "send" : "button"}.${button.id}`,
      disabled,
    },
    h("b", {}, confirm ? fill(confirm, { name }) : name),
    under(state, button, sent, hold).map((note) => h("small", {}, note)),
  );
}

function under({ words, message }, button, sent, hold) {
  if (sent?.status === "sending") return [words.page.sending];
  if (sent?.status === "done") return [`✓ ${words.page.done}`];
  if (sent?.status === "failed") return [`✕ ${words.page.not_done}`, words.why[sent.why] ?? sent.why];
  const how = [];
  if (button.role === "supervisor") how.push(words.role.supervisor);
  if (hold) how.push(words.page.hold);
  const passed = button.exit === "scan_again" && message.screen.halt.passed;
  const meaning = passed ? words.page.passed : button.exit ? words.exit_note[button.exit] : "";
  return [meaning, how.join(" · ")].filter((note) => note !== "");
}

// Over everything: old news first, since then nothing else is known.
function drawCover({ words, message, live }) {
  if (!live) return [drawNotLive(words)];
  return message.failed ? [drawFailed(words, message.failed)] : [];
}

function drawNotLive(words) {
  return h(
    "div",
    { class: "cover", id: "not-live", role: "alert" },
    h("h1", {}, words.page.not_live),
    h("p", { id: "age" }, ""),
    h("p", {}, words.page.not_live_do),
  );
}

function drawFailed(words, detail) {
  return h(
    "div",
    { class: "cover failed", role: "alert" },
    h("h1", {}, words.page.failed),
    h("p", {}, words.page.failed_do),
    h("p", { class: "detail" }, detail),
  );
}
