/** A rectangle on the screen, in pixels. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface Label {
  text: string
  x: number
  y: number
}

/** The gap between a marker's edge and its label. */
const GAP_PX = 4
const HEIGHT_PX = 12
const MAX_LABELS = 120

/** Places labels below markers where there is room; earlier markers take precedence. `x` and `y` are centres, also of labels. */
export function placeLabels(
  marks: readonly { text: string; x: number; y: number; radius: number }[],
  taken: readonly Box[],
  widthOf: (text: string) => number,
): Label[] {
  const boxes = [...taken]
  const labels: Label[] = []
  for (const { text, x, y, radius } of marks) {
    if (labels.length >= MAX_LABELS) break
    const half = widthOf(text) / 2 + 2
    const top = y + radius + GAP_PX
    const box = { left: x - half, right: x + half, top, bottom: top + HEIGHT_PX }
    if (boxes.some((other) => overlap(box, other))) continue
    boxes.push(box)
    labels.push({ text, x, y: top + HEIGHT_PX / 2 })
  }
  return labels
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
