type Defined<Shape> = { [Key in keyof Shape]: Exclude<Shape[Key], undefined> }

/** Leaves out members that are undefined, which mean "not given". */
export function withoutUndefined<Shape extends object>(shape: Shape): Defined<Shape> {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Defined<Shape>
}
