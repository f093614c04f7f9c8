/** Pauses calls while at least one hold is active. */
export class Gate {
  #holds = 0;
  #opened = Promise.resolve();
  #open: () => void = () => {};

  hold(): void {
    this.#holds += 1;
    if (this.#holds > 1) return;
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Call it once for each hold. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#open();
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Resolves when no hold is active. */
  async passed(): Promise<void> {
    while (this.isHeld) await this.#opened;
  }
}
