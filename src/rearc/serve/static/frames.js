// The configurations of one derivation, asked for in pieces and kept.

import { post } from "./api.js";

const PIECE = 40;

export class Frames {
  constructor(question, count) {
    this.question = question;
    this.count = count; // configurations: one more than there are steps
    this.pieces = new Map();
  }

  async at(step) {
    const piece = Math.floor(step / PIECE);
    const { frames } = await this.piece(piece);
    if (piece * PIECE + PIECE < this.count) this.piece(piece + 1).catch(() => {}); // ahead of who steps or plays
    return frames[step - piece * PIECE];
  }

  piece(number) {
    if (!this.pieces.has(number)) {
      const start = number * PIECE;
      const asked = post("debug/frames", { ...this.question, start, stop: start + PIECE });
      asked.catch(() => this.pieces.delete(number));
      this.pieces.set(number, asked);
    }
    return this.pieces.get(number);
  }
}
