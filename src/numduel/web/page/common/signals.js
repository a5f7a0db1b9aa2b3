// Sound, vibration and notifications: off until they are switched on in the page's menu.

import { byId, show, write } from "./dom.js";
import { t } from "./language.js";
import { keep, recall } from "./storage.js";

// Notes in hertz, one after the other.
const TUNES = { move: [330], turn: [440, 660], won: [523, 659, 784, 1047], lost: [392, 330, 262],
  nudge: [660, 440, 660, 440, 660] };
const NOTE = 0.12; // seconds
const BUZZ = { // in ms
  move: 20, turn: [60, 60, 60], won: [80, 60, 80, 60, 160], lost: 200, nudge: [400, 150, 400, 150, 400],
};

const possible = {
  sound: () => "AudioContext" in window,
  vibration: () => "vibrate" in navigator,
  notification: () => "Notification" in window,
  mute: () => true, // chat.js shows it where there is an opponent
};

/** @type {AudioContext | undefined} */
let audio;

/** @param {keyof typeof possible} name */
export function signalOn(name) {
  const wanted = recall(`signal.${name}`, false) === true && possible[name]();
  return wanted && (name !== "notification" || Notification.permission === "granted");
}

async function change(name, box) {
  write(byId("settings-note"), "");
  if (name === "notification" && box.checked) {
    box.checked = (await Notification.requestPermission()) === "granted";
    if (!box.checked) write(byId("settings-note"), t("The browser does not allow notifications."));
  }
  keep(`signal.${name}`, box.checked || null);
  if (box.checked && name === "sound") play("turn");
  if (box.checked && name === "vibration") navigator.vibrate(BUZZ.turn);
}

// kind: "move", "turn", "won", "lost" or "nudge"; `text` is for the notification. A nudge is felt
// whatever is switched off.
export function giveSignal(kind, text) {
  // Before the first touch, browsers allow neither and complain.
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (touched && signalOn("sound")) play(kind);
  const felt = kind === "nudge" ? possible.vibration() : signalOn("vibration");
  if (touched && felt) navigator.vibrate(BUZZ[kind]);
  if (kind !== "move" && document.hidden && signalOn("notification")) notify(text);
}

function play(kind) {
  const sounds = (audio ??= new AudioContext());
  sounds.resume(); // a phone that slept has suspended it
  TUNES[kind].forEach((pitch, index) => note(sounds, pitch, sounds.currentTime + index * NOTE));
}

function note(audio, pitch, at) {
  const sound = audio.createOscillator();
  const volume = audio.createGain();
  sound.type = "triangle";
  sound.frequency.value = pitch;
  volume.gain.setValueAtTime(0.15, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 1.5 * NOTE);
  sound.connect(volume).connect(audio.destination);
  sound.start(at);
  sound.stop(at + 1.5 * NOTE);
}

function notify(text) {
  try {
    const note = new Notification(document.title, { body: text, tag: location.pathname });
    note.onclick = () => {
      focus();
      note.close();
    };
  } catch {
    // Some phones do not allow them from a page.
  }
}

for (const row of document.querySelectorAll("[data-signal]")) {
  const name = /** @type {keyof typeof possible} */ (row.dataset.signal);
  const box = /** @type {HTMLInputElement} */ (row.querySelector("input"));
  show(row, possible[name]());
  box.checked = signalOn(name);
  box.addEventListener("change", () => change(name, box));
}
