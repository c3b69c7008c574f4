// Draws the tab's pictures, and finds the point of the tab under a point of the screen.
import type { Frame } from "./line.ts";

export interface Point {
  x: number;
  y: number;
}

export class Picture {
  readonly #canvas: HTMLCanvasElement;
  /** The tab's size in CSS pixels. */
  #tab = { width: 1, height: 1 };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Resolves with the frame's number when it is drawn, or when it turns out to be none. */
  async show({ number, width, height, image }: Frame): Promise<number> {
    try {
      const bitmap = await createImageBitmap(image);
      const canvas = this.#canvas;
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
      }
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.#tab = { width, height };
      Object.assign(canvas.dataset, { frame: number, tabWidth: width, tabHeight: height });
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
    return number;
  }

  /** Returns the size of a picture that fills the element. */
  room(element: HTMLElement): { width: number; height: number } {
    const { width, height } = element.getBoundingClientRect();
    const side = (length: number) => Math.max(1, Math.min(4_000, Math.round(length * devicePixelRatio)));
    return { width: side(width), height: side(height) };
  }

  /** Returns the tab's point in CSS pixels. */
  pointAt({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return {
      x: ((clientX - left) / Math.max(1, width)) * this.#tab.width,
      y: ((clientY - top) / Math.max(1, height)) * this.#tab.height,
    };
  }
}
