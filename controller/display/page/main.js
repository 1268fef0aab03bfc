// Puts the page together: what the server says, what fingers do, and one render of the result.

import { Countdown } from "./deadline.js";
import { Link } from "./link.js";
import { Entry } from "./pad.js";
import { Presses } from "./presses.js";
import { render, tick } from "./render.js";
import { Touch } from "./touch.js";

const TICK_MS = 50;

const root = document.getElementById("app");
const speech = await (await fetch("/words.json")).json();
const asked = new URLSearchParams(location.search).get("lang");
let language = asked in speech.languages ? asked : speech.default;
let message = null; // the newest screen message
let entry = null; // what is being typed on a halt's pad
let drawn = "";

const countdown = new Countdown();
const presses = new Presses((body) => link.send({ ...body }));
const touch = new Touch(document, act);
const link = new Link(`ws://${location.host}/ws`, hear);

function hear(said, at) {
  if (said.t === "answer") presses.answered(said, at);
  else take(said, at);
  turn();
}

function take(said, at) {
  const before = message?.screen?.key;
  message = said;
  if (said.screen?.key !== before) entry = null;
  presses.keep(said.screen);
  countdown.note(said.screen?.deadline ?? null, at);
}

function act(name) {
  const [kind, ...rest] = name.split(".");
  const what = rest.join(".");
  const button = message?.screen?.buttons.find((offered) => offered.id === what);
  if (kind === "language") switchLanguage();
  else if (!link.live(performance.now()) || message.failed) return;
  else if (what === "cancel") entry = null;
  else if (kind === "pad") entry?.tap(what);
  else if (kind === "button" && (button?.count || button?.name_card)) entry = new Entry(button);
  else if (button) send(button);
  turn();
}

function send(button) {
  const given = entry?.button.id === button.id ? entry.given : {};
  presses.press(button.id, message.screen, given, performance.now());
}

function switchLanguage() {
  const names = Object.keys(speech.languages);
  language = names[(names.indexOf(language) + 1) % names.length];
  const address = new URL(location.href);
  address.searchParams.set("lang", language);
  history.replaceState(null, "", address);
}

// Everything that a change of must be drawn; time that runs is not among it.
function look(live) {
  const { screen, ...rest } = message ?? {};
  const { age_ms, seq, epoch, ...said } = rest;
  const still = screen ? { ...screen, deadline: screen.deadline?.key } : null;
  const pressed = (screen?.buttons ?? []).map((button) => presses.status(button.id));
  return JSON.stringify([language, live, said, still, pressed, entry]);
}

function turn() {
  const now = performance.now();
  link.tend(now);
  presses.tick(now);
  const live = link.live(now);
  touch.screen(`${message?.screen?.key}|${entry?.button.id}|${live}`, now);
  const held = touch.held(now);
  const words = speech.languages[language];
  const seen = look(live);
  if (seen !== drawn) {
    drawn = seen;
    document.documentElement.lang = language;
    const status = (button) => presses.status(button);
    root.replaceChildren(...render({ words, message, live, entry, status }));
    root.querySelectorAll("[data-fit]").forEach(fit);
  }
  root.firstElementChild.setAttribute("data-seq", message?.seq ?? 0);
  root.firstElementChild.toggleAttribute("data-dead", touch.dead(now));
  const left = live && !message.failed ? countdown.left(now) : null;
  tick(root, words, left, link.age(now), held);
}

// The largest letters that fit the line.
function fit(element) {
  element.style.removeProperty("--shrink");
  const ratio = element.clientWidth / element.scrollWidth;
  if (ratio < 1) element.style.setProperty("--shrink", (ratio * 0.98).toFixed(3));
}

addEventListener("visibilitychange", turn);
addEventListener("resize", () => {
  drawn = "";
  turn();
});
setInterval(turn, TICK_MS);
turn();
