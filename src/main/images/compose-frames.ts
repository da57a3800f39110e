/** One frame of an animation: its picture, its position, and how it is combined with the canvas. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
  delayMs: number
  /** What happens to its area before the next frame: it stays, is cleared, or is restored. */
  dispose: 'keep' | 'clear' | 'restore'
  /** Its pixels replace those of the canvas, or are laid over them by their alpha. */
  blend: 'replace' | 'over'
}

export interface Canvas {
  width: number
  height: number
}

/**
 * Draws frames on an initially clear canvas and returns what is visible during each: RGBA, 8 bits, one below the other.
 * `decode` returns the RGBA of the nth frame alone. Clips to the canvas.
 */
export async function composeFrames(
  canvas: Canvas,
  frames: readonly Frame[],
  decode: (nth: number) => Promise<Buffer>,
): Promise<Buffer> {
  const size = canvas.width * canvas.height * 4
  const all = Buffer.alloc(size * frames.length)
  const shown = Buffer.alloc(size)
  for (const [nth, frame] of frames.entries()) {
    const before = frame.dispose === 'restore' ? Buffer.from(shown) : null
    draw(shown, canvas, frame, await decode(nth))
    shown.copy(all, nth * size)
    if (before !== null) before.copy(shown)
    if (frame.dispose === 'clear') clear(shown, canvas, frame)
  }
  return all
}

/** The part of a frame that is on the canvas, one row after the other: where it starts in both, and how long it is. */
function* rowsOf(
  canvas: Canvas,
  { left, top, width, height }: Frame,
): Generator<[to: number, from: number, n: number]> {
  const visible = Math.min(width, canvas.width - left)
  if (visible <= 0) return
  for (let y = 0; y < height && top + y < canvas.height; y++)
    yield [((top + y) * canvas.width + left) * 4, y * width * 4, visible * 4]
}

function clear(shown: Buffer, canvas: Canvas, frame: Frame): void {
  for (const [to, , length] of rowsOf(canvas, frame)) shown.fill(0, to, to + length)
}

function draw(shown: Buffer, canvas: Canvas, frame: Frame, pixels: Buffer): void {
  for (const [to, from, length] of rowsOf(canvas, frame)) {
    if (frame.blend === 'replace') pixels.copy(shown, to, from, from + length)
    else for (let at = 0; at < length; at += 4) layOver(shown, to + at, pixels, from + at)
  }
}

/** "Over" without premultiplied alpha (PNG specification, third edition, 13.16; APNG, `APNG_BLEND_OP_OVER`). */
function layOver(shown: Buffer, to: number, pixels: Buffer, from: number): void {
  const above = pixels[from + 3]!
  if (above === 0) return
  const below = shown[to + 3]!
  if (above === 255 || below === 0) {
    pixels.copy(shown, to, from, from + 4)
    return
  }
  const [u, v] = [above * 255, (255 - above) * below]
  const alpha = u + v
  for (let band = 0; band < 3; band++)
    shown[to + band] = Math.round((pixels[from + band]! * u + shown[to + band]! * v) / alpha)
  shown[to + 3] = Math.round(alpha / 255)
}
