// Sound, vibration and notifications: all off until they are switched on in the page's menu, which
// is kept in this browser.

import { byId, show, write } from "./dom.js";
import { keep, recall } from "./storage.js";

// Notes in hertz, one after the other.
const TUNES = { move: [330], turn: [440, 660], won: [523, 659, 784, 1047], lost: [392, 330, 262] };
const NOTE = 0.12; // seconds
const BUZZ = { move: 20, turn: [60, 60, 60], won: [80, 60, 80, 60, 160], lost: 200 }; // in ms

const possible = {
  sound: () => "AudioContext" in window,
  vibration: () => "vibrate" in navigator,
  notification: () => "Notification" in window,
  mute: () => true, // shown where there is somebody to mute
};

export class Signals {
  /** @type {AudioContext | undefined} */ audio;

  constructor() {
    for (const [name, can] of Object.entries(possible)) {
      const row = /** @type {HTMLElement} */ (document.querySelector(`[data-signal="${name}"]`));
      const box = /** @type {HTMLInputElement} */ (row.querySelector("input"));
      show(row, can());
      box.checked = this.on(name);
      box.addEventListener("change", () => this.change(name, box));
    }
  }

  on(name) {
    const wanted = recall(`signal.${name}`, false) === true && possible[name]();
    return wanted && (name !== "notification" || Notification.permission === "granted");
  }

  async change(name, box) {
    write(byId("settings-note"), "");
    if (name === "notification" && box.checked) {
      // Nobody is asked before they wish for it.
      box.checked = (await Notification.requestPermission()) === "granted";
      if (!box.checked) write(byId("settings-note"), "The browser does not allow notifications.");
    }
    keep(`signal.${name}`, box.checked || null);
    if (box.checked && name === "sound") this.play("turn");
    if (box.checked && name === "vibration") navigator.vibrate(BUZZ.turn);
  }

  // kind: "move", "turn", "won" or "lost"; `text` is for who looks elsewhere.
  give(kind, text) {
    // Before the page was touched a browser allows neither, and complains.
    const touched = navigator.userActivation?.hasBeenActive ?? true;
    if (touched && this.on("sound")) this.play(kind);
    if (touched && this.on("vibration")) navigator.vibrate(BUZZ[kind]);
    if (kind !== "move" && document.hidden && this.on("notification")) notify(text);
  }

  play(kind) {
    const audio = (this.audio ??= new AudioContext());
    audio.resume(); // a phone that slept has stopped it
    TUNES[kind].forEach((pitch, index) => note(audio, pitch, audio.currentTime + index * NOTE));
  }
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
    // Some phones know notifications, but not from a page.
  }
}
