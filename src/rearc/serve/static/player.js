// Plays the steps one after another until the end, or until it is told to stop.

import { byId } from "./dom.js";

export class Player {
  constructor(step, hasMore) {
    this.step = step;
    this.hasMore = hasMore;
    this.timer = 0;
    byId("play").addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.timer) this.pause();
    else if (this.hasMore()) this.next();
  }

  async next() {
    this.show(true);
    this.timer = -1; // busy with a step
    await this.step();
    if (!this.timer) return; // paused meanwhile
    if (!this.hasMore()) this.pause();
    else this.timer = setTimeout(() => this.next(), Number(byId("speed").value));
  }

  pause() {
    if (this.timer > 0) clearTimeout(this.timer);
    this.timer = 0;
    this.show(false);
  }

  show(playing) {
    const button = byId("play");
    button.setAttribute("aria-pressed", String(playing));
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  }
}
