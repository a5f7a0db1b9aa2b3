// The seats of a game: invitations, those who ask to play, a seat offered again, and remarks.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, browser, open, refused, seen, settle, text } from "../browser.js";
import { game } from "../samples.js";

open("/play/g1");
const { seatRequests } = await import("#page/play/seat-requests.js");
const { invitation } = await import("#page/play/invite.js");
const { seatOffer } = await import("#page/play/offer.js");
const { chat } = await import("#page/play/chat.js");
const { keep, recall } = await import("#page/common/storage.js");

const waiting = (more = {}) => game({ seats: [true, false], ...more });
let heard;

function page(address) {
  open(address);
  Object.assign(browser, { asked: [], answers: [], went: [] });
  heard = [];
  const mute = document.createElement("p");
  mute.dataset.signal = "mute";
  document.body.append(mute);
}
beforeEach(() => {
  page("/play/g1");
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

const hear = (data) => heard.push(data);

// -- the invitation --------------------------------------------------------------------------

test("who has made a game sees its link until the friend has come", () => {
  keep("invite.g1", "secret");
  const invite = invitation("g1", hear);
  invite.show({ you: 1, game: waiting() });
  assert.ok(seen("invitation") && !seen("joining"));
  assert.equal(document.getElementById("invite-link").value, "http://numduel.test/play/g1#secret");
  invite.show({ you: 1, game: game() });
  assert.ok(!seen("invitation"));
  assert.equal(recall("invite.g1"), undefined);
});

test("who is invited is told by whom, and joins with the secret of the link", async () => {
  page("/play/g1");
  invitation("g1", hear).show({ you: null, game: waiting() });
  assert.ok(!seen("joining"), "without a secret");
  page("/play/g1#secret");
  keep("name", "Cy");
  const invite = invitation("g1", hear);
  assert.equal(document.getElementById("join-name").value, "Cy");
  invite.show({ you: null, game: waiting() });
  assert.ok(seen("joining"));
  assert.equal(text("joining-text"), "Ada invites you to play Number Duel.");
  document.getElementById("join-name").value = " Bo ";
  answer("/api/v1/games/g1/join", { you: 2 });
  assert.ok(document.getElementById("joining").happen("submit").prevented);
  await settle();
  const { body } = browser.asked[0];
  assert.deepEqual([body.invite, body.name, body.cookie], ["secret", "Bo", true]);
  assert.deepEqual(heard, [{ you: 2 }]);
  assert.equal(invite.secret(), "");
});

test("where the answer to joining was lost, the seat may be ours all the same", async () => {
  page("/play/g1#secret");
  const invite = invitation("g1", hear);
  invite.show({ you: null, game: waiting() });
  answer("/api/v1/games/g1/join", new Error("no network"));
  answer("/api/v1/games/g1/key", new Error("no network"));
  await assert.rejects(invite.join(), { status: 0 });
  answer("/api/v1/games/g1/key", { you: 2 });
  invite.show({ you: null, game: game() });
  await settle();
  assert.deepEqual(heard, [{ you: 2 }]);
  invite.show({ you: null, game: game() });
  await settle();
  assert.equal(heard.length, 1, "it is not lost any more");
});

test("a link that is no invitation to this game is as none", async () => {
  page("/play/g1#wrong");
  const invite = invitation("g1", hear);
  invite.show({ you: null, game: waiting() });
  answer("/api/v1/games/g1/join", refused(403));
  answer("/api/v1/games/g1", { you: null });
  await assert.rejects(invite.join());
  assert.deepEqual([heard, invite.secret()], [[{ you: null }], ""]);
});

// -- those who ask ---------------------------------------------------------------------------

const look = (asking, more = {}, you = null, secret = "") =>
  asking({ you, game: waiting(more), secret });

test("who comes without an invitation may ask, and waits for the answer", async () => {
  const again = [];
  const asking = seatRequests("g1", hear, () => again.push(true));
  look(asking);
  assert.equal(text("watching"), "Ada’s game of Number Duel, waiting for a second player.");
  assert.ok(seen("asking-form"));
  document.getElementById("asking-name").value = "Cy";
  answer("/api/v1/games/g1/requests", { request: 5 });
  document.getElementById("asking-form").happen("submit");
  await settle();
  look(asking, { requests: [{ number: 5, name: "Cy" }] });
  assert.ok(!seen("asking-form"));
  assert.equal(text("asking-text"), "You have asked Ada to play. Wait here for the answer.");
  look(asking, { requests: [] });
  assert.equal(text("asking-text"), "Ada would rather not play now. You can watch.");
  look(asking, { seats: [true, true] });
  assert.equal(again.length, 1, "the seat may be ours");
  look(asking, { seats: [true, true] });
  assert.equal(text("asking-text"), "Someone else has the seat now. You can watch.");
  assert.equal(again.length, 1);
});

test("who is let in is told so, and what was asked is forgotten", () => {
  keep("request.g1", 5);
  const asking = seatRequests("g1", hear, () => {});
  look(asking);
  look(asking, { seats: [true, true] }, 2);
  assert.equal(text("watching"), "Ada said yes: you are playing.");
  assert.equal(recall("request.g1"), undefined);
});

test("with an invitation, or a link to watch, nobody needs to ask", () => {
  look(seatRequests("g1", hear, () => {}), {}, null, "secret");
  assert.ok(!seen("asking-form"));
  page("/play/g1?watch");
  look(seatRequests("g1", hear, () => {}));
  assert.ok(!seen("asking-form"));
  assert.equal(text("watching"), "You are only watching this game.");
  page("/play/g1#used");
  look(seatRequests("g1", hear, () => {}), { seats: [true, true] });
  assert.equal(text("watching"),
    "This invitation has been used. Ada and Bo are playing; you are only watching.");
});

test("who waits sees everybody who asks, once, and decides", async () => {
  const asking = seatRequests("g1", hear, () => {});
  const requests = [{ number: 5, name: "Cy" }, { number: 6, name: "Di" }];
  look(asking, { requests: requests.slice(0, 1) }, 1);
  const [first] = document.getElementById("asking-list").children;
  look(asking, { requests }, 1);
  assert.equal(document.getElementById("asking-list").children[0], first);
  assert.deepEqual(document.getElementById("asking-list").children.map((row) => row.dataset.request), ["5", "6"]);
  assert.equal(text("announcer"), "Di asks to play.");
  answer("/api/v1/games/g1/requests/6", { you: 1 });
  document.getElementById("asking-list").children[1].querySelector("[data-say=accept]").click();
  await settle();
  assert.deepEqual(browser.asked[0].body, { say: "accept" });
  assert.ok(seen("asking"));
  look(asking, { requests: [] }, 1);
  assert.equal(document.getElementById("asking-list").children.length, 0);
  assert.ok(!seen("asking"));
});

// -- a seat that is offered again ------------------------------------------------------------

test("who has not moved yet can be asked to leave, by the other one", async () => {
  const offer = seatOffer("g1", hear);
  offer({ you: 1, game: game({ newcomer: 2 }) });
  assert.ok(seen("offer"));
  assert.equal(text("offer-text"), "Bo has taken the seat but has not moved yet.");
  for (const [you, newcomer] of [[2, 2], [null, 2], [1, null]]) {
    offer({ you, game: game({ newcomer }) });
    assert.ok(!seen("offer"), `${you} and ${newcomer}`);
  }
});

test("a seat is offered again once that is sure, and only if nobody else sits there now", async () => {
  answer("/api/v1/games/g1/offer", { you: 1, invite: "fresh" });
  const offer = seatOffer("g1", hear);
  const shown = (more) => offer({ you: 1, game: game({ newcomer: 2, number: 4, ...more }) });
  const say = async (what) => {
    document.querySelector("dialog").querySelector(`#${what}`).click();
    await settle();
  };
  shown();
  document.getElementById("offer-again").click();
  await settle();
  await say("no");
  assert.deepEqual(browser.asked, []);
  document.getElementById("offer-again").click();
  await settle();
  shown({ newcomer: null });
  await say("yes");
  assert.deepEqual(browser.asked, [], "they have moved meanwhile");
  shown();
  document.getElementById("offer-again").click();
  await settle();
  await say("yes");
  assert.deepEqual(browser.asked[0].body, { after: 4 });
  assert.equal(recall("invite.g1"), "fresh");
  assert.deepEqual(heard, [{ you: 1, invite: "fresh" }]);
});

test("the link of a game that was made on another device is asked for once", async () => {
  answer("/api/v1/games/g1/offer", { you: 1, invite: "fresh" });
  const offer = seatOffer("g1", hear);
  offer({ you: 1, game: waiting() });
  offer({ you: 1, game: waiting() });
  await settle();
  assert.equal(browser.asked.length, 1);
  offer({ you: null, game: waiting() });
  assert.equal(browser.asked.length, 1);
});

// -- remarks ---------------------------------------------------------------------------------

const said = (what, at) => ({ what, at });

test("a remark is heard once, for a while, and not if it was said before", () => {
  const panel = document.createElement("div");
  panel.setAttribute("class", "player");
  panel.dataset.seat = 2;
  document.body.append(panel);
  const talk = chat("/api/v1/games/g1", () => false);
  talk({ you: 1, game: game({ remarks: [null, said("Hi", 1)] }) });
  assert.equal(panel.textContent, "");
  talk({ you: 1, game: game({ remarks: [null, said("Hi", 2)] }) });
  talk({ you: 1, game: game({ remarks: [null, said("Hi", 2)] }) });
  assert.equal(panel.textContent, "Hi");
  assert.equal(text("announcer"), "Bo: Hi");
  talk({ you: 1, game: game({ remarks: [null, said("Ho", 3)] }) });
  assert.equal(panel.textContent, "Ho", "the last one stands alone");
  mock.timers.tick(5000);
  assert.equal(panel.textContent, "");
});

test("who has muted the other one hears only themselves", () => {
  const talk = chat("/api/v1/games/g1", () => true);
  talk({ you: 1, game: game() });
  talk({ you: 1, game: game({ remarks: [null, said("Hi", 2)] }) });
  assert.equal(text("announcer"), "");
  talk({ you: 1, game: game({ remarks: [said("Ho", 3), said("Hi", 2)] }) });
  assert.equal(text("announcer"), "You: Ho");
});
