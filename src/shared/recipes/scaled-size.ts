interface Size {
  width: number
  height: number
}

/** The widths of a recipe that are narrower than the picture scaled to the long edge; widest first. */
export function variantWidths(picture: Size, recipe: { longEdge: number | null; widths: readonly number[] }): number[] {
  const { width } = scaledSize(picture, recipe.longEdge)
  return recipe.widths.filter((wanted) => wanted < width).toSorted((a, b) => b - a)
}

/** The size of a picture scaled to this width; never enlarged. */
export function variantSize({ width, height }: Size, wanted: number): Size {
  return wanted >= width ? { width, height } : { width: wanted, height: scaledSide(height, width / wanted) }
}

/** The size of a picture scaled down until its longer side fits; unchanged where it fits or there is no limit. */
export function scaledSize({ width, height }: Size, longEdge: number | null): Size {
  const longer = Math.max(width, height)
  if (longEdge === null || longer <= longEdge) return { width, height }
  const shrink = longer / longEdge
  return { width: scaledSide(width, shrink), height: scaledSide(height, shrink) }
}

/** Bit-exact with libvips, which is given the inverse and inverts it again; otherwise some halves would round the other way. */
function scaledSide(side: number, shrink: number): number {
  return Math.max(1, Math.round(side / (1 / (1 / shrink))))
}
