/** Keeps calls waiting while it is held. */
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

  /** Once for each hold. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#open();
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Resolves when it is free. */
  async passed(): Promise<void> {
    while (this.isHeld) await this.#opened;
  }
}
